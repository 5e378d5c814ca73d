import type { Dispatcher } from 'undici';
import { MoreThanAnAnswer } from './received.js';

const READ_AT_MOST = 16_384;
const KEPT = 1_024;
/** The first status that ends an exchange: those below only announce it. */
const FIRST_FINAL = 200;
const MOST_ANNOUNCEMENTS = 16;

/** Reads one answer to its end, but no further than the limit: what is longer is cut off with its connection. */
export class AnswerReader implements Dispatcher.DispatchHandler {
  statusCode: number | null = null;
  private readonly parts: Buffer[] = [];
  private bytes = 0;
  private announcements = 0;
  private controller: Dispatcher.DispatchController | undefined;
  private reason: Error | undefined;
  private settle: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;

  /** Once the whole answer was read, or as much of it as ever is. */
  read(send: (handler: this) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      send(this);
    });
  }

  /** The beginning of the answer, as far as it has come; null before there is one. */
  get snippet(): string | null {
    return this.statusCode === null ? null : textOf(this.parts);
  }

  /** Ends the exchange, also before it has a connection. */
  abort(reason: Error): void {
    this.reason = reason;
    this.controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.reason) controller.abort(this.reason);
  }

  onResponseStart(controller: Dispatcher.DispatchController, statusCode: number): void {
    if (statusCode >= FIRST_FINAL) this.statusCode = statusCode;
    else if (++this.announcements > MOST_ANNOUNCEMENTS) controller.abort(new MoreThanAnAnswer());
  }

  onResponseData(controller: Dispatcher.DispatchController, part: Buffer): void {
    if (this.bytes < KEPT) this.parts.push(Buffer.from(part.subarray(0, KEPT - this.bytes)));
    this.bytes += part.length;
    if (this.bytes <= READ_AT_MOST) return;
    this.settle?.resolve();
    controller.abort(new Error('the answer is longer than what is read of it'));
  }

  onResponseEnd(): void {
    this.settle?.resolve();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.settle?.reject(error);
  }
}

/** The bytes' text as far as it is whole. */
const decoded = (bytes: Buffer): string => new TextDecoder().decode(bytes, { stream: true });

/** Text that can be shown and stored: what is no text becomes a sign for it, which may be longer than what it stands for. */
function textOf(parts: readonly Buffer[]): string {
  const text = decoded(Buffer.concat(parts)).replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '\ufffd');
  return decoded(Buffer.from(text).subarray(0, KEPT));
}
