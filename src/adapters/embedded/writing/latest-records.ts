/** More are forgotten, in their order, between two transactions. */
const LATEST = 256;

/** The records of the latest transactions, for a collection that is seldom touched again, or soon. */
export class LatestRecords<T> {
  private young = new Map<string, T>();
  private old = new Map<string, T>();

  get(key: string): T | undefined {
    return this.young.get(key) ?? this.old.get(key);
  }

  set(key: string, record: T): void {
    this.young.set(key, record);
  }

  /** When a transaction ends. */
  forget(): void {
    if (this.young.size < LATEST) return;
    this.old = this.young;
    this.young = new Map();
  }
}
