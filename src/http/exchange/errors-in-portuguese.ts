/** What is said of single values, for those who ask for Portuguese. Every client gets English otherwise, as programs may read it. */

type Rule = readonly [english: RegExp, portuguese: (...found: readonly string[]) => string];

const TYPES: Readonly<Record<string, string>> = {
  'a text': 'um texto',
  'a number': 'um número',
  'a whole number': 'um número inteiro',
  'true or false': 'verdadeiro ou falso',
  'a list': 'uma lista',
  'an object': 'um objeto',
};

const COUNTED: Readonly<Record<string, readonly [one: string, many: string]>> = {
  character: ['caractere', 'caracteres'],
  item: ['item', 'itens'],
  byte: ['byte', 'bytes'],
  decimal: ['casa decimal', 'casas decimais'],
  'significant digit': ['algarismo', 'algarismos'],
};

const BOUNDS: Readonly<Record<string, string>> = {
  'at least': 'no mínimo',
  'at most': 'no máximo',
  'more than': 'mais de',
  'less than': 'menos de',
  'greater than': 'mais de',
};

const counted = (count: string, unit: string): string => `${count} ${COUNTED[unit]?.[count === '1' ? 0 : 1] ?? unit}`;
/** A number within a sentence, as people in Brazil write it. */
const figure = (text: string): string => text.replace('.', ',');

const shortDay = (day: string): string =>
  new Date(day).toLocaleDateString('pt-BR', { timeZone: 'UTC', dateStyle: 'short' });

const BOUND = '(at least|at most|more than|less than|greater than)';
const NUMBER = String.raw`(-?[\d.]+)`;

const RULES: readonly Rule[] = [
  [
    new RegExp(`^must have ${BOUND} (\\d+) (character|item|byte|decimal|significant digit)s?$`),
    (bound = '', count = '', unit = '') => `deve ter ${BOUNDS[bound] ?? ''} ${counted(count, unit)}`,
  ],
  [
    new RegExp(`^must be ${BOUND} ${NUMBER}$`),
    (bound = '', count = '') => `deve ser ${BOUNDS[bound] ?? ''} ${figure(count)}`,
  ],
  [
    /^must be (a text|a number|a whole number|true or false|a list|an object)$/,
    (type = '') => `deve ser ${TYPES[type] ?? ''}`,
  ],
  [/^must not use port (\d+)$/, (port = '') => `não pode usar a porta ${port}`],
  [/^must be (\d+) digits$/, (count = '') => `deve ter ${count} dígitos`],
  [/^must be (\d+) to (\d+) digits$/, (least = '', most = '') => `deve ter de ${least} a ${most} dígitos`],
  [/^must be at most (\d+) digits$/, (count = '') => `deve ter no máximo ${count} dígitos`],
  [
    /^must be an? (.+) with right check digits$/,
    (what = '') => `deve ser um ${what.replace(' or ', ' ou ')} com dígitos verificadores certos`,
  ],
  [
    /^sort by (due|ended) needs (an open|a) status(?: that is not open)?$/,
    (sort = '') => `sort=${sort} pede um status ${sort === 'due' ? 'de ordem em aberto' : 'de ordem encerrada'}`,
  ],
  [/^must be an? ([A-Z0-9-]+)$/, (what = '') => `deve ser um ${what}`],
  [/^it belongs to the CNPJ (\S+)$/, (owner = '') => `é do CNPJ ${owner}, que não é o da loja`],
  [/^it expired on (.+)$/, (day = '') => `venceu em ${shortDay(day)}`],
  [/^it is valid from (.+) on$/, (day = '') => `só vale a partir de ${shortDay(day)}`],
  [/^its key has (\d+) bits, fewer than 2048$/, (bits = '') => `tem uma chave de ${bits} bits; são precisos 2048`],
  [/^its key has (\d+) bits, more than 4096$/, (bits = '') => `tem uma chave de ${bits} bits; são aceitos até 4096`],
  [/^must be one of (.+)$/, (values = '') => `deve ser um destes: ${values}`],
  [/^takes up to (\d+) UUIDs with commas between$/, (count = '') => `aceita até ${count} UUIDs separados por vírgulas`],
  [
    /^have percents that add up to (\S+), not to 100$/,
    (sum = '') => `têm percentuais que somam ${figure(sum)}, e não 100`,
  ],
  [
    /^add up to (\S+) %: these are baker’s percents, of one input that is 100 %\. In percents of the whole they are (.+)$/,
    (sum = '', whole = '') =>
      `somam ${figure(sum)} %: são percentuais de padeiro, sobre um insumo que é 100 %. Em percentuais do todo são ${whole}`,
  ],
];

const SENTENCES: Readonly<Record<string, string>> = {
  'belongs to CASH alone': 'só cabe em dinheiro',
  'belongs to DEBIT and CREDIT alone': 'só cabe em débito e crédito',
  'belongs to OTHER alone': 'só cabe em outra forma de pagamento',
  'belongs to PIX alone': 'só cabe no PIX',
  'belongs to what is added alone': 'só cabe no que é acrescentado',
  'cost more than a sale can': 'custam mais do que uma venda pode custar',
  'give lotIds or lotCode': 'informe os lotes ou o código do lote',
  'has neither net weight nor volume': 'não tem peso líquido nem volume',
  'has no valid host name': 'não tem um nome de servidor válido',
  'has not begun': 'ainda não começou',
  'has parts, and so is a kit': 'tem componentes e por isso é um kit',
  'has the wrong form': 'não está na forma certa',
  'holds a blank, a backslash or an invisible character':
    'contém um espaço, uma barra invertida ou um caractere invisível',
  'holds a control character or half a character': 'contém um caractere inválido',
  'is a service or a kit': 'é um serviço ou um kit',
  'is a service, a kit, or being changed': 'é um serviço, um kit, ou está sendo alterado',
  'is for a product without grid; its variants have their own':
    'só vale para produto sem grade; cada variação tem o seu',
  'is for model 65, in a store that allows it': 'só vale para o modelo 65, em loja que o permite',
  'is for the present alone': 'só vale para o momento atual',
  'is less than the smallest quantity': 'é menos que a menor quantidade',
  'is more than 5 minutes ahead': 'está mais de 5 minutos no futuro',
  'is more than the line costs': 'é mais do que o item custa',
  'is named a second time': 'aparece duas vezes',
  'is needed': 'é obrigatório',
  'is needed in percent mode': 'é obrigatório em fórmula de percentuais',
  'is needed to change user name, e-mail or password': 'é obrigatória para mudar usuário, e-mail ou senha',
  'is needed to turn litres into kilograms': 'é obrigatória para converter litros em quilos',
  'is no public address': 'não é um endereço público',
  'is no GTIN': 'não é um código de barras válido',
  'is no cursor of this list': 'não é um cursor desta lista',
  'is not a valid address': 'não é um endereço válido',
  'is not a time zone': 'não é um fuso horário',
  'is not active': 'não está ativo',
  'is not known here': 'não é conhecido aqui',
  'is not taken: the account has its own': 'não cabe: a conta já tem a sua',
  'is one of the most common passwords': 'é uma das senhas mais comuns',
  'is required': 'é obrigatório',
  'is required: the account gets it': 'é obrigatória: será a senha da conta',
  'is the finished product itself': 'é o próprio produto feito',
  'is too large': 'é grande demais',
  'is too small': 'é pequeno demais',
  'is too long ago for one summary': 'é antigo demais para um só resumo',
  'it holds no RSA key': 'não contém chave RSA',
  'it holds no RSA private key': 'não contém a chave privada RSA',
  'its key is damaged': 'a chave dele está danificada',
  'its key is longer than one of 4096 bits': 'tem uma chave maior que uma de 4096 bits',
  'its password takes too long to try: export the file again':
    'a senha dele demora demais para ser conferida: exporte o arquivo de novo',
  'it holds no certificate': 'não contém certificado',
  'it holds no private key': 'não contém a chave privada',
  'it is no PFX file, or a damaged one': 'não é um arquivo PFX, ou está danificado',
  'it is damaged': 'está danificado',
  'it names no CNPJ': 'não traz CNPJ: é preciso um e-CNPJ',
  'its key cannot be read: the password is wrong, or the key is damaged':
    'a chave não pode ser lida: a senha está errada, ou a chave está danificada',
  'makes a price that is too high': 'leva a um preço alto demais',
  'must add up to the total': 'devem somar o total',
  'must be 1 for debit': 'deve ser 1 no débito',
  'must be 1 or 2 digits': 'deve ter 1 ou 2 dígitos',
  'must be 1 unless the method is CREDIT': 'só pode passar de 1 no crédito',
  'must be 2 to 14 digits, or ISENTO': 'deve ter de 2 a 14 dígitos, ou ser ISENTO',
  'must be 4 digits and begin with 5': 'deve ter 4 dígitos e começar com 5',
  'must be 4 digits and begin with 6': 'deve ter 4 dígitos e começar com 6',
  'must be 8 or 10 capital letters or digits, or SEM CBENEF':
    'deve ter 8 ou 10 letras maiúsculas ou dígitos, ou ser SEM CBENEF',
  'must be a date or an ISO 8601 time': 'deve ser uma data ou um momento ISO 8601',
  'must not be before the year 1900': 'não pode ser antes do ano 1900',
  'must be a decimal': 'deve ser um número decimal',
  'must be a decimal with at most 15 digits': 'deve ser um número decimal de até 15 algarismos',
  'must be a kind of record': 'deve ser um tipo de registro',
  'must be a month such as 2026-11': 'deve ser um mês, como 2026-11',
  'must be a month: YYYY-MM': 'deve ser um mês: AAAA-MM',
  'must be a phone number': 'deve ser um telefone',
  'must be a phone number of 8 to 15 digits': 'deve ser um telefone de 8 a 15 dígitos',
  'must be a unit of 1 to 6 letters or digits, such as UN or KG':
    'deve ser uma unidade de 1 a 6 letras ou dígitos, como UN ou KG',
  'must be an e-mail address': 'deve ser um e-mail',
  'must be an item such as 1.01 (LC 116) or a national code such as 010101':
    'deve ser um item como 1.01 (LC 116) ou um código nacional como 010101',
  'must be another location': 'deve ser outro local',
  'must be at least the amount': 'deve cobrir o valor',
  'must be given only once': 'só pode ser informado uma vez',
  'must be in the future': 'deve estar no futuro',
  'must be left out: a service has no stock': 'deve ficar vazio: um serviço não tem estoque',
  'must be left out: the stock of a kit is what its parts allow':
    'deve ficar vazio: o estoque de um kit é o que os componentes permitem',
  'must have at least 15 characters that a fiscal document can hold':
    'deve ter no mínimo 15 caracteres que um documento fiscal comporte',
  'must begin with https://': 'deve começar com https://',
  'must carry no user name': 'não pode trazer nome de usuário',
  'must have no percent sign in its host': 'não pode ter sinal de porcentagem no nome do servidor',
  'must name a public host': 'deve indicar um servidor público',
  'must be true, false, 1 or 0': 'deve ser true, false, 1 ou 0',
  'must not be 0': 'não pode ser 0',
  'must not be empty': 'não pode ficar vazio',
  'must not be empty while the adjustment is on': 'não pode ficar vazio com o ajuste ligado',
  'must not name a permission twice': 'não pode repetir uma permissão',
  'names a host of a private network': 'indica um servidor de rede privada',
  'names no usable port': 'não indica uma porta que se possa usar',
  'names a brand that is not active': 'indica uma bandeira que não está ativa',
  'names a part twice': 'repete um componente',
  'names a product that is not sold any more': 'indica um produto que não se vende mais',
  'names too many lots': 'corresponde a lotes demais',
  'names no lot': 'não corresponde a um lote',
  'names no record': 'não corresponde a um registro',
  'names a recipe with a product that was deleted': 'indica uma receita com um produto excluído',
  'ends before the event': 'termina antes do acontecimento',
  'nobody can tell when it expires': 'não se sabe quando vence',
  'stands twice': 'aparece duas vezes',
  'stands twice for the same type of card': 'aparece duas vezes para o mesmo tipo de cartão',
  'the destination has no secret any more: give it a new one': 'o destino já não tem segredo: gere um novo',
  'the password is wrong': 'a senha está errada',
  'the private key fits none of the certificates': 'a chave privada não corresponde a nenhum dos certificados',
  'the store has no tax id yet': 'a loja ainda não tem CNPJ',
  'take the whole cost: their shares must stay below 100 %': 'levam o custo todo: as partes devem somar menos de 100 %',
  'takes 3 to 40 letters, digits, points, underscores and hyphens':
    'aceita de 3 a 40 letras, dígitos, pontos, sublinhados e hifens',
};

/** The same in Portuguese; what has no words of its own stays as it is. */
export function inPortuguese(message: string): string {
  const sentence = Object.hasOwn(SENTENCES, message) ? SENTENCES[message] : undefined;
  if (sentence !== undefined) return sentence;
  for (const [english, portuguese] of RULES) {
    const found = english.exec(message);
    if (found) return portuguese(...found.slice(1));
  }
  return message;
}
