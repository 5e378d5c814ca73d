/** What a request shows to prove who it comes from. */
export interface Credentials {
  /** The token of `Authorization: Bearer …`. */
  readonly bearer: string | undefined;
  /** The session's cookie; counts only where there is no bearer. */
  readonly accessToken: string | undefined;
  /** X-Store-Slug, as it was sent. */
  readonly storeSlug: string | undefined;
  /** X-Signed-In-As: the id of the user whose session a page believes to have. */
  readonly expectedUser: string | undefined;
}
