/** Names categories for a business; somebody else's service, so what it says is checked before it is used. */
export interface CategoryAdviser {
  /** Throws AdviceUnavailable with a reason that may be shown. */
  suggest(request: AdviceRequest): Promise<readonly AdvisedCategory[]>;
}

export interface AdviceRequest {
  readonly businessDescription: string;
  /** What a store of its kind usually has. */
  readonly profileLabel: string;
  readonly usual: readonly AdvisedCategory[];
  readonly maximum: number;
}

export interface AdvisedCategory {
  readonly name: string;
  readonly defaultNcm: string | null;
}

export class AdviceUnavailable extends Error {}
