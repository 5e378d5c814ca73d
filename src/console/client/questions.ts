import { useSyncExternalStore } from 'preact/compat';
import type { Filling, Text } from '../words/words.js';

/** What is asked before something is lost or done a second time: Enter, Escape and a scanner answer that it is not meant. */
export interface Question {
  readonly title: Text;
  readonly text?: Text;
  /** Of the title and the text. */
  readonly filling?: Filling;
  readonly yes: Text;
  readonly no: Text;
}

interface OpenQuestion extends Question {
  answer(isMeant: boolean): void;
}

let open: readonly OpenQuestion[] = [];
const listeners = new Set<() => void>();

function show(questions: readonly OpenQuestion[]): void {
  open = questions;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function begin(question: Question, onAnswer: (isMeant: boolean) => void): OpenQuestion {
  const asked: OpenQuestion = {
    ...question,
    answer(isMeant) {
      show(open.filter((one) => one !== asked));
      onAnswer(isMeant);
    },
  };
  show([...open, asked]);
  return asked;
}

/** Whether it is meant all the same. */
export const ask = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    begin(question, resolve);
  });

/** Does it where it is meant. What it gives takes the question back, which has then no answer to wait for. */
export function ifMeant(question: Question, act: () => void): () => void {
  const asked = begin(question, (isMeant) => {
    if (isMeant) act();
  });
  return () => {
    asked.answer(false);
  };
}

export const useOpenQuestion = (): OpenQuestion | undefined => useSyncExternalStore(subscribe, () => open[0]);
