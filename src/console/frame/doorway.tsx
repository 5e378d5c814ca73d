import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { leadToNextPage } from '../parts/page.js';
import { frame } from '../words/frame.js';
import { LANGUAGES, speak, useLanguage } from '../words/language.js';
import { useWords } from '../words/words.js';

/** The pages before anybody is signed in. */
export function Doorway({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const t = useWords(frame);
  const spoken = useLanguage();
  const card = useRef<HTMLDivElement>(null);
  const heard = useRef<string>();
  useEffect(() => {
    document.title = `${title} · ${t('product')}`;
  });
  useEffect(() => leadToNextPage, []);
  useEffect(() => {
    // One step leads on to the next; another language leads nowhere.
    const isStep = heard.current === undefined || heard.current === spoken;
    heard.current = spoken;
    if (isStep) card.current?.querySelector<HTMLElement>('input')?.focus();
    if (isStep && !card.current?.contains(document.activeElement)) card.current?.querySelector('h1')?.focus();
  }, [title]);
  return (
    <main class="doorway" id="content">
      <div class="doorway-card" ref={card}>
        <img src="/console/icon.svg" alt="" width={40} height={40} />
        <h1 tabIndex={-1}>{title}</h1>
        {children}
        <div class="languages" role="group" aria-label={t('language')}>
          {LANGUAGES.map((one) => (
            <button
              key={one}
              type="button"
              class="button quiet"
              lang={one}
              aria-pressed={one === spoken}
              onClick={() => {
                speak(one);
              }}
            >
              {one === 'en' ? 'English' : 'Português'}
            </button>
          ))}
        </div>
      </div>
    </main>
  );
}
