/** Why no AI was of help, in Portuguese for who asks for it. */
const SENTENCES: Readonly<Record<string, string>> = {
  'no provider is configured': 'nenhum provedor está configurado',
  'the provider was asked too often: try again in an hour':
    'o provedor já foi consultado muitas vezes: tente de novo em uma hora',
  'the provider named no usable category': 'o provedor não indicou nenhuma categoria que sirva',
  'the provider answered something else than categories': 'o provedor não respondeu com categorias',
  'the provider answered too much': 'o provedor respondeu demais',
  'the provider took too long': 'o provedor demorou demais',
  'the provider cannot be reached': 'não foi possível falar com o provedor',
};

export const adviceInPortuguese = (sentence: string): string =>
  SENTENCES[sentence] ?? sentence.replace(/^the provider answered (\d+)$/, 'o provedor respondeu $1');
