import type { Catalogue } from '../../words/words.js';

export const words = {
  title: ['Webhooks', 'Webhooks'],
  lead: [
    'Avisam outros sistemas do que acontece com documentos fiscais. Até cinco destinos.',
    'They tell other systems what becomes of fiscal documents. Up to five destinations.',
  ],
  create: ['Novo destino', 'New destination'],
  empty: ['Nenhum destino ainda.', 'No destinations yet.'],
  address: ['Endereço', 'Address'],
  addressHint: ['https, público, na porta 443 ou acima de 1023.', 'https, public, on port 443 or above 1023.'],
  description: ['Descrição', 'Description'],
  events: ['Acontecimentos', 'Events'],
  allEvents: ['Todos os acontecimentos', 'All events'],
  health: ['Saúde em 24 h', 'Health in 24 h'],
  last: ['Última entrega', 'Last delivery'],
  never: ['nada foi enviado', 'nothing was sent'],
  active: ['Ligado', 'On'],
  inactive: ['Desligado', 'Off'],
  inactiveHint: [
    'Desligar cancela as entregas que ainda estão abertas.',
    'Switching it off cancels the deliveries that are still open.',
  ],
  status: ['Situação', 'State'],
  failing: ['{n} falha seguida|{n} falhas seguidas', '{n} failure in a row|{n} failures in a row'],
  arrived: ['{share} chegaram', '{share} arrived'],
  secret: ['Segredo deste destino', 'Secret of this destination'],
  secretLead: [
    'Copie agora: ele não é mostrado outra vez. Com ele o seu sistema confere que uma entrega vem daqui.',
    'Copy it now: it is not shown again. Your system uses it to check that a delivery comes from here.',
  ],
  stored: ['Guardei o segredo', 'I have stored the secret'],
  rotate: ['Trocar o segredo', 'Change the secret'],
  rotateLead: [
    'O segredo de agora deixa de valer na hora: as próximas entregas são assinadas com o novo.',
    'The present secret ends at once: deliveries from now on are signed with the new one.',
  ],
  test: ['Enviar um teste', 'Send a test'],
  testDelivered: ['O teste chegou: o seu sistema respondeu {code}.', 'The test arrived: your system answered {code}.'],
  testFailed: ['O teste não chegou.', 'The test did not arrive.'],
  remove: ['Excluir destino', 'Delete the destination'],
  removeLead: [
    'Nada mais é enviado a este endereço. As entregas abertas são canceladas.',
    'Nothing more is sent to this address. Open deliveries are cancelled.',
  ],
  settings: ['Destino', 'Destination'],
  deliveries: ['Entregas', 'Deliveries'],
  deliveriesEmpty: ['Nenhuma entrega com estes filtros.', 'No deliveries within these filters.'],
  kept: ['Entregas terminadas são guardadas por 30 dias.', 'Deliveries that ended are kept for 30 days.'],
  event: ['Acontecimento', 'Event'],
  everything: ['Todos', 'All'],
  created: ['Criada', 'Made'],
  attempts: ['Tentativas', 'Attempts'],
  attempt: ['Tentativa {number}', 'Attempt {number}'],
  thenResend: ['Depois de corrigir, envie de novo.', 'Once it is mended, send again.'],
  thenByItself: [
    'Depois de corrigir, nada mais a fazer: a entrega é tentada de novo sozinha.',
    'Once it is mended there is nothing more to do: it is tried again by itself.',
  ],
  thenTest: ['Depois de corrigir, envie outro teste.', 'Once it is mended, send another test.'],
  noAttempt: ['Ainda não houve tentativa.', 'Nothing was tried yet.'],
  next: ['Próxima tentativa: {when}', 'Next attempt: {when}'],
  delivery: ['Entrega', 'Delivery'],
  retry: ['Enviar de novo', 'Send again'],
  request: ['O que foi enviado', 'What was sent'],
  headers: ['Cabeçalhos', 'Headers'],
  body: ['Corpo', 'Body'],
  answer: ['Resposta', 'Answer'],
  technical: ['Mensagem técnica: {error}', 'Technical message: {error}'],
  noAnswer: ['Nenhuma resposta', 'No answer'],
  took: ['{ms} ms', '{ms} ms'],
  document: ['Abrir o documento fiscal', 'Open the fiscal document'],
  verify: ['Como conferir a assinatura', 'How to check the signature'],
  verifyLead: [
    'Cada entrega traz X-Service-Timestamp e X-Service-Signature. A assinatura é um HMAC-SHA256 de "timestamp.corpo" com o segredo inteiro (com whsec_). Use o corpo como chegou, antes de qualquer leitura, e recuse o que tem mais de cinco minutos. Nos exemplos os nomes dos cabeçalhos estão em minúsculas.',
    'Each delivery carries X-Service-Timestamp and X-Service-Signature. The signature is an HMAC-SHA256 of "timestamp.body" with the whole secret (whsec_ included). Take the body as it arrived, before any parser, and refuse what is older than five minutes. In the examples the names of headers are in lower case.',
  ],
  languageOfCode: ['Linguagem', 'Language'],
  PENDING: ['Na fila', 'Waiting'],
  RETRYING: ['Tentando de novo', 'Trying again'],
  DELIVERED: ['Entregue', 'Delivered'],
  FAILED: ['Falhou', 'Failed'],
  CANCELLED: ['Cancelada', 'Cancelled'],
} as const satisfies Catalogue;

export const eventNames = {
  'fiscal.document.authorized': ['Documento autorizado', 'Document authorized'],
  'fiscal.document.rejected': ['Documento rejeitado', 'Document rejected'],
  'fiscal.document.cancelled': ['Documento cancelado', 'Document cancelled'],
  'fiscal.document.contingency': ['Documento em contingência', 'Document in contingency'],
  'fiscal.document.failed': ['Documento falhou', 'Document failed'],
  'webhook.test': ['Teste', 'Test'],
} as const satisfies Catalogue;

/** What to do about an attempt that did not arrive. */
export const remedies = {
  unreachable: [
    'O endereço não respondeu. Confira se o sistema está no ar, se o nome existe e se o certificado é válido.',
    'The address did not answer. See that the system is up, the name exists and its certificate is valid.',
  ],
  redirect: [
    'O endereço manda para outro lugar, e isso não é seguido. Informe o endereço final no destino.',
    'The address leads elsewhere, which is not followed. Give the final address.',
  ],
  refused: [
    'O seu sistema recusou a assinatura ou o acesso. Confira se ele usa o segredo de agora e o corpo como chegou.',
    'Your system refused the signature or the access. See that it uses the present secret and the body as it arrived.',
  ],
  missing: [
    'Não há nada neste endereço. Confira o caminho no destino.',
    'There is nothing at this address. Look at its path.',
  ],
  busy: [
    'O seu sistema pediu menos pressa. As próximas tentativas esperam por si.',
    'Your system asked for less haste. The next attempts wait by themselves.',
  ],
  rejected: [
    'O seu sistema recebeu e recusou. Veja a resposta dele.',
    'Your system took it and refused. See its answer.',
  ],
  broken: [
    'O seu sistema falhou ao tratar a entrega. Veja os registros dele na hora da tentativa.',
    'Your system failed at it. Look into its log at the time of the attempt.',
  ],
} as const satisfies Catalogue;
