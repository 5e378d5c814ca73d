import { readSession } from './api.js';
import { forgetNames } from './names.js';
import type { Kind } from './queries.js';
import { refreshKinds, refreshRead } from './queries.js';

/** Follows what others write, while somebody sees the page: the service tells which kinds of records changed, and what shows them is read anew. */

const GATHER_MILLISECONDS = 250;
const WITHOUT_NEWS_MILLISECONDS = 30_000;

interface News {
  readonly collections?: readonly Kind[];
  readonly reset?: boolean;
}

export function followChanges(): () => void {
  const changed = new Set<Kind>();
  let all = false;
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let polling: ReturnType<typeof setInterval> | undefined;
  let source: EventSource | undefined;
  let hasFollowed = false;
  let wasAway = false;
  let wasRefused = false;
  let isOver = false;

  const spread = () => {
    gathering = undefined;
    if (all || changed.has('product')) forgetNames();
    void refreshKinds(all ? undefined : [...changed]);
    changed.clear();
    all = false;
  };
  const hear = ({ data }: MessageEvent<string>) => {
    const news = JSON.parse(data) as News;
    all ||= news.reset === true;
    for (const kind of news.collections ?? []) changed.add(kind);
    gathering ??= setTimeout(spread, GATHER_MILLISECONDS);
  };
  const stopPolling = () => {
    clearInterval(polling);
    polling = undefined;
  };
  const connect = () => {
    source?.close();
    source = new EventSource('/live');
    source.onmessage = hear;
    source.onerror = () => {
      // A browser tries again by itself unless it was refused.
      if (source?.readyState !== EventSource.CLOSED) return;
      wasAway = true;
      // Who looks again after a quarter of an hour has a token that ran out: any other request renews the session.
      if (!wasRefused) {
        wasRefused = true;
        void readSession().then(attend);
        return;
      }
      polling ??= setInterval(() => {
        if (document.visibilityState !== 'visible') return;
        void refreshKinds();
        connect();
      }, WITHOUT_NEWS_MILLISECONDS);
    };
    source.onopen = () => {
      stopPolling();
      wasRefused = false;
      if (wasAway) {
        wasAway = false;
        all = true;
        gathering ??= setTimeout(spread, GATHER_MILLISECONDS);
      } else if (!hasFollowed) void refreshRead();
      hasFollowed = true;
    };
  };
  // Browsers open six connections to a service over plain http: a seventh page would wait for ever for one of them to end.
  const attend = () => {
    if (isOver) return;
    if (document.visibilityState === 'visible') {
      connect();
      return;
    }
    wasAway = true;
    source?.close();
    stopPolling();
  };
  attend();
  document.addEventListener('visibilitychange', attend);
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', attend);
    source?.close();
    clearTimeout(gathering);
    stopPolling();
  };
}
