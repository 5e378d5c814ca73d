import { until } from './until.js';

/** A message of a stream: its id and what its data say. */
interface StreamMessage {
  readonly id: string;
  readonly data: { readonly collections?: readonly string[]; readonly position?: string; readonly reset?: true };
}

/** A client of server-sent events, as a browser reads them. */
export class EventStream {
  readonly messages: StreamMessage[] = [];
  comments = 0;
  lastId = '';
  ended = false;
  private text = '';

  private constructor(
    readonly response: Response,
    private readonly leaving: AbortController,
  ) {}

  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<EventStream> {
    const leaving = new AbortController();
    const response = await fetch(url, { headers, signal: leaving.signal });
    const stream = new EventStream(response, leaving);
    void stream.read();
    if (response.ok) await until('the stream has begun', () => stream.lastId !== '');
    return stream;
  }

  /** The kinds that the messages so far name, each once. */
  get kinds(): readonly string[] {
    return [...new Set(this.messages.flatMap(({ data }) => data.collections ?? []))].sort();
  }

  leave(): void {
    this.leaving.abort();
  }

  private async read(): Promise<void> {
    try {
      for await (const piece of this.response.body ?? []) this.take(Buffer.from(piece).toString());
    } catch {
      // Broken off, by either side.
    }
    this.ended = true;
  }

  private take(piece: string): void {
    const blocks = (this.text + piece).split('\n\n');
    this.text = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n');
      if (lines.some((line) => line.startsWith(':'))) this.comments += 1;
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      this.lastId = field('id') ?? this.lastId;
      const data = field('data');
      if (data !== undefined) {
        this.messages.push({ id: this.lastId, data: JSON.parse(data) as StreamMessage['data'] });
      }
    }
  }
}
