import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { frame } from '../words/frame.js';
import type { Text } from '../words/words.js';
import { say } from '../words/words.js';

/** Whether a click opens another screen in the place of this one. */
function leadsAway({ target, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  if (!link || link.target === '_blank' || link.download !== '') return false;
  if (ctrlKey || metaKey || shiftKey || altKey) return false;
  return link.origin === location.origin && link.pathname !== location.pathname;
}

/**
 * One for each form with something typed, called when the browser's Back or Forward has changed the address already, with
 * what is asked of who leaves.
 */
const guards = new Map<(event: PopStateEvent) => void, Text>();

let agreedTo: Event | undefined;

/** One step away is asked about once, however many forms of the page have something typed. */
function mayGo(event: Event, question: Text): boolean {
  if (agreedTo !== event && confirm(say(question))) agreedTo = event;
  return agreedTo === event;
}

/** Pages that hold what is not done yet and is kept elsewhere as well: nobody who leaves them is asked. */
const underWay = new Set<symbol>();

/** Whether the page holds what should not go away by itself. */
export const isAnythingHeld = (): boolean => guards.size + underWay.size > 0;

/** To be called by what leads away without a link: asks where something is typed and not sent. */
export function mayLeave(): boolean {
  const [question] = guards.values();
  return question === undefined || confirm(say(question));
}

/** To be called before the router listens: who comes first may keep the event from it. */
export function guardBackAndForward(): void {
  addEventListener('popstate', (event) => {
    for (const guard of guards.keys()) guard(event);
  });
}

/** Lets the page stay while something on it is under way, also where the permission for it is lost. */
export function useUnderWay(isUnderWay: boolean): void {
  useLayoutEffect(() => {
    if (!isUnderWay) return undefined;
    const own = Symbol('under way');
    underWay.add(own);
    return () => underWay.delete(own);
  }, [isUnderWay]);
}

const QUESTIONS = { typed: frame.leaveTyped, sent: frame.leaveSent, shownOnce: frame.leaveShownOnce };

/** What is lost with the page: what was typed and not sent, what was sent and not answered, or what cannot be seen again. */
export type Held = keyof typeof QUESTIONS;

/** The dialog around a form, which asks as well before it is closed. */
export const HeldInDialog = createContext<{ current: Held | undefined } | undefined>(undefined);

/**
 * Keeps people from leaving with what the page holds: by closing it, by a link to another screen, by the browser's Back and
 * Forward, by what asks whether it may lead away, or by closing the dialog that it was typed in.
 */
export function useLeaveWarning(held: Held | undefined): void {
  const dialog = useContext(HeldInDialog);
  useLayoutEffect(() => {
    if (!dialog) return undefined;
    dialog.current = held;
    return () => {
      dialog.current = undefined;
    };
  }, [dialog, held]);
  const here = useRef(location.href);
  here.current = location.href;
  // Before the screen is painted: Back pressed right after the last letter asks as well.
  useLayoutEffect(() => {
    if (!held) return undefined;
    const question = QUESTIONS[held];
    const warn = (event: BeforeUnloadEvent) => {
      event.preventDefault();
    };
    const ask = (event: MouseEvent) => {
      if (event.defaultPrevented || !leadsAway(event) || mayGo(event, question)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    const stay = (event: PopStateEvent) => {
      if (new URL(here.current).pathname === location.pathname || mayGo(event, question)) return;
      event.stopImmediatePropagation();
      history.pushState(null, '', here.current);
    };
    addEventListener('beforeunload', warn);
    addEventListener('click', ask, true);
    guards.set(stay, question);
    return () => {
      removeEventListener('beforeunload', warn);
      removeEventListener('click', ask, true);
      guards.delete(stay);
    };
  }, [held]);
}
