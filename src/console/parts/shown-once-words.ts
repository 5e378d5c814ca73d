import type { Catalogue } from '../words/words.js';

export const words = {
  copy: ['Copiar', 'Copy'],
  copied: ['Copiado', 'Copied'],
  copyMarked: [
    'O navegador não deixou copiar. O texto está marcado: copie com Ctrl+C (no celular, toque e segure).',
    'The browser did not let it be copied. The text is marked: copy it with Ctrl+C (on a phone, touch and hold).',
  ],
} as const satisfies Catalogue;
