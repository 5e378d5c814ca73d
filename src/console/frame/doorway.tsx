import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { frame } from '../words/frame.js';
import { LANGUAGES, speak, useLanguage } from '../words/language.js';
import { useWords } from '../words/words.js';

/** The pages before anybody is signed in. */
export function Doorway({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const t = useWords(frame);
  const spoken = useLanguage();
  useEffect(() => {
    document.title = `${title} · ${t('product')}`;
  });
  return (
    <main class="doorway" id="content">
      <div class="doorway-card">
        <img src="/console/icon.svg" alt="" width={40} height={40} />
        <h1>{title}</h1>
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
