import type { Catalogue } from '../words/words.js';

/** What is said before anybody is signed in. */
export const signInWords = {
  title: ['Entrar', 'Sign in'],
  signIn: ['Entrar', 'Sign in'],
  username: ['Usuário ou e-mail', 'User name or e-mail'],
  password: ['Senha', 'Password'],
  forgot: ['Esqueci a senha', 'I forgot my password'],
  code: ['Código do aplicativo', 'Code of the app'],
  codeLead: [
    'Abra o aplicativo autenticador e digite o código de 6 dígitos.',
    'Open your authenticator app and type the 6 digits.',
  ],
  backupCode: ['Código de reserva', 'Backup code'],
  backupLead: [
    'Digite um dos códigos que você guardou. Cada um vale uma vez.',
    'Type one of the codes that you kept. Each works once.',
  ],
  useBackup: ['Usar um código de reserva', 'Use a backup code'],
  useCode: ['Usar o aplicativo', 'Use the app'],
  verify: ['Continuar', 'Go on'],
  enrollLead: [
    'Esta loja exige um segundo fator. Leia a imagem com um aplicativo autenticador e digite o código que ele mostrar.',
    'This store asks for a second factor. Scan the picture with an authenticator app and type the code that it shows.',
  ],
  enrollSecret: ['Ou digite este segredo no aplicativo:', 'Or type this secret into the app:'],
  qrCode: ['Código QR para o aplicativo autenticador', 'QR code for the authenticator app'],
  confirm: ['Confirmar', 'Confirm'],
  codesLead: [
    'Guarde estes códigos em lugar seguro: são o caminho de volta se o aparelho se perder. Eles não serão mostrados outra vez.',
    'Keep these codes in a safe place: they are the way back if the device is lost. They are not shown again.',
  ],
  codesKept: ['Guardei os códigos', 'I kept the codes'],
  forgotTitle: ['Redefinir a senha', 'Reset the password'],
  forgotLead: [
    'Informe o e-mail da conta. Se ele for conhecido, enviaremos um link.',
    'Give the e-mail of the account. If it is known, a link goes there.',
  ],
  email: ['E-mail', 'E-mail'],
  sendLink: ['Enviar link', 'Send the link'],
  linkSent: [
    'Se o e-mail for conhecido, o link está a caminho. Ele vale por 1 hora.',
    'If the e-mail is known, the link is on its way. It works for 1 hour.',
  ],
  resetTitle: ['Escolher nova senha', 'Choose a new password'],
  newPassword: ['Nova senha', 'New password'],
  passwordHint: ['De 10 a 72 caracteres.', '10 to 72 characters.'],
  setPassword: ['Definir senha', 'Set the password'],
  resetDone: ['A senha foi trocada. Entre com ela.', 'The password was changed. Sign in with it.'],
  toSignIn: ['Ir para a entrada', 'Go to sign in'],
  confirmTitle: ['Confirmar o e-mail', 'Confirm the e-mail'],
  confirmLead: ['Confirme somente se a conta é sua.', 'Confirm only if the account is yours.'],
  confirmDone: ['O e-mail foi confirmado.', 'The e-mail is confirmed.'],
  inviteTitle: ['Aceitar o convite', 'Accept the invitation'],
  inviteLead: [
    'Ao aceitar, a loja passa a aparecer na sua conta.',
    'When you accept, the store appears in your account.',
  ],
  invitePassword: [
    'Se você ainda não entrou com esta conta, escolha uma senha. Senão, deixe vazio.',
    'If you have never signed in with this account, choose a password. Otherwise leave it empty.',
  ],
  accept: ['Aceitar', 'Accept'],
  inviteDone: ['Convite aceito. Entre para ver a loja.', 'Accepted. Sign in to see the store.'],
  token: ['Código da mensagem', 'Code from the mail'],
} as const satisfies Catalogue;
