/** Colour and word together: the colour alone never says it. */
export type Tone = 'good' | 'warn' | 'bad' | 'calm' | 'active';

export function Status({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return <span class={`status ${tone}`}>{children}</span>;
}
