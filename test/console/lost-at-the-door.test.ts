import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateSync } from 'otplib';
import type { Page } from 'playwright-core';
import type { ConsolePages } from '../support/console-pages.js';
import { browserPath, hold, loseFirstAnswer, openConsole, signInOn, unanswered } from '../support/console-pages.js';
import { sent } from '../support/console-goods.js';

const inBrowser = browserPath === undefined ? describe.skip : describe;

/** Passwords, second factors and links in mails whose answers are lost. */
inBrowser(`answers that are lost at the door, in ${browserPath ?? 'a browser, which is not installed here'}`, () => {
  let pages: ConsolePages;
  beforeAll(async () => {
    pages = await openConsole();
  });
  afterAll(() => pages.close());

  /** Somebody's own account, which no other test signs in with. */
  const newAccount = async (username: string) => {
    const person = { username, email: `${username}@padaria.example`, password: 'uma senha de antes' };
    await sent(pages, 'POST', '/users', { ...person, name: 'Ana Porta', role: 'MANAGER' });
    return person;
  };
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last().click();

  test('a second factor that was turned off without an answer is shown as off by who tries again with another code', async () => {
    const person = await newAccount('fator-perdido');
    const { page, close } = await pages.open('/console/');
    await signInOn(page, `${pages.world.url}/console/configuracoes/conta`, person);
    await press(page, 'Ligar o segundo fator');
    const dialog = page.getByRole('dialog');
    const secret = (await dialog.locator('.hint code').textContent()) ?? '';
    await dialog.getByLabel('Código do aplicativo').fill(generateSync({ secret }));
    await press(page, 'Confirmar');
    const backups = dialog.locator('.codes code');
    await backups.first().waitFor();
    const codes = await backups.allTextContents();
    await press(page, 'Guardei os códigos');
    await loseFirstAnswer(page, '**/auth/2fa');
    await press(page, 'Desligar o segundo fator');
    await dialog.getByLabel('Senha atual').fill(person.password);
    const code = dialog.getByLabel('Código do aplicativo ou de reserva');
    await code.fill(codes[0] ?? '');
    await press(page, 'Desligar o segundo fator');
    await unanswered(dialog);
    await code.fill(codes[1] ?? '');
    await press(page, 'Desligar o segundo fator');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Ligar o segundo fator' }).waitFor();
    await close();
  });

  test('backup codes are shown to who closed the dialog before the answer that brought them', async () => {
    const person = await newAccount('codigos-perdidos');
    const { page, close } = await pages.open('/console/');
    await signInOn(page, `${pages.world.url}/console/configuracoes/conta`, person);
    await press(page, 'Ligar o segundo fator');
    const dialog = page.getByRole('dialog');
    const secret = (await dialog.locator('.hint code').textContent()) ?? '';
    const letGo = await hold(page, '**/auth/2fa/enroll/confirm');
    await dialog.getByLabel('Código do aplicativo').fill(generateSync({ secret }));
    await press(page, 'Confirmar');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    letGo();
    await dialog.locator('.codes code').first().waitFor();
    await press(page, 'Guardei os códigos');
    await page.getByRole('button', { name: 'Desligar o segundo fator' }).waitFor();
    await close();
  });

  test('who changed the password without an answer is told that the new one may count', async () => {
    const person = await newAccount('senha-perdida');
    const { page, close } = await pages.open('/console/');
    await signInOn(page, `${pages.world.url}/console/configuracoes/conta`, person);
    const cookies = await page.context().cookies();
    await loseFirstAnswer(page, '**/auth/me');
    await page.getByLabel('Nova senha').fill('uma senha de depois');
    await page.getByLabel('Senha atual').fill(person.password);
    await press(page, 'Salvar');
    await unanswered(page);
    // With the answer went the cookies of the session that goes on.
    await page.context().addCookies(cookies);
    // The page may hear by itself that the session is over: the click then waits until somebody is signed in again.
    const saving = press(page, 'Salvar');
    const dialog = page.getByRole('dialog', { name: 'Sua sessão terminou' });
    await dialog.getByText(/^A troca da senha ficou sem resposta e pode ter valido/).waitFor();
    await dialog.getByLabel('Senha').fill('uma senha de depois');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await saving;
    await page.getByRole('button', { name: 'Salvo' }).waitFor();
    await close();
  });

  test('a link that counted without an answer is not only called used: who tries again hears what may have come of it', async () => {
    const { page, close } = await pages.open('/console/reset-password#token=usado');
    await page.route('**/auth/reset-password', (route) => route.abort('connectionreset'), { times: 1 });
    await page.getByLabel('Nova senha').fill('uma senha do link');
    await press(page, 'Definir senha');
    await unanswered(page);
    expect(await page.getByText('pode ter valido').count()).toBe(0);
    await press(page, 'Definir senha');
    await page.getByRole('alert').getByText('O link já foi usado, venceu ou foi cancelado.').waitFor();
    await page.getByText('O que você enviou antes ficou sem resposta e pode ter valido.').waitFor();
    await close();
  });
});
