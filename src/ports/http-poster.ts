/** One POST to an address that a user named. */
export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends it early. */
  readonly signal?: AbortSignal;
}

/** What came of it: an answer, or why there is none. */
export interface PostResult {
  readonly durationMs: number;
  /** The answer's status; null when none came. */
  readonly statusCode: number | null;
  /** Null when the whole answer came in time. */
  readonly error: string | null;
  /** The beginning of the answer's text. */
  readonly snippet: string | null;
}

/** Sends to the outside world without ever reaching what is not public. */
export interface HttpPoster {
  /** Why nothing may be sent there; undefined when it may, as far as the text of the address tells. */
  refusalOf(url: string): string | undefined;
  /** Never throws for what the other side does. */
  post(post: Post): Promise<PostResult>;
  close(): Promise<void>;
}
