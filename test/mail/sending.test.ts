import { strict as assert } from 'node:assert'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { test } from 'node:test'
import type { AddressInfo } from 'node:net'
import { tryParseSmtpUrl } from '../../src/lib/net/smtp-url.ts'
import type { MailMessage } from '../../src/mail/mail.ts'
import { createMailSender, type SmtpSettings } from '../../src/mail/smtp.ts'
import { readFileSync } from 'node:fs'
import { CA_FILE, openMailServer } from '../support/mail/mail-server.ts'

const MESSAGE: MailMessage = {
  to: { name: 'Ada', address: 'ada@example.com' },
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
  unsubscribeUrl: null,
}
const NEVER = new AbortController().signal

function sender(url: string, settings: Partial<SmtpSettings> = {}) {
  const server = tryParseSmtpUrl(url)
  assert.ok(server)
  const from = { name: 'Hansard', address: 'hansard@example.com' }
  const ca = readFileSync(CA_FILE, 'utf8')
  return createMailSender({ ...server, tls: 'required', ca, from, ...settings })
}

const send = (url: string, settings?: Partial<SmtpSettings>, message = MESSAGE) =>
  sender(url, settings).send(message, '<mail_1@example.com>', NEVER)

test('mail is sent over STARTTLS and over implicit TLS, with a sign-in', async () => {
  for (const tls of ['starttls', 'implicit'] as const) {
    await using server = await openMailServer({ tls, needsLogin: true })
    assert.deepEqual(await send(server.url), { outcome: 'sent', response: '250 Queued' })
    const [mail] = server.mails
    assert.equal(mail?.isSecure, true)
    assert.deepEqual(mail?.headers.get('message-id'), ['<mail_1@example.com>'])
    assert.deepEqual(mail?.headers.get('from'), ['Hansard <hansard@example.com>'])
    await sender(server.url).check()
  }
})

test('mail is not sent without TLS or with a wrong certificate, unless the settings allow it', async () => {
  await using plain = await openMailServer()
  const result = await send(plain.url)
  assert.equal(result.outcome, 'failed')
  assert.equal((await send(plain.url, { tls: 'opportunistic' })).outcome, 'sent')
  await using elsewhere = await openMailServer({ tls: 'starttls', isForElsewhere: true })
  assert.equal((await send(elsewhere.url)).outcome, 'failed')
  assert.equal((await send(elsewhere.url, { ca: null })).outcome, 'failed')
  assert.equal((await send(elsewhere.url, { tls: 'opportunistic' })).outcome, 'sent')
  assert.deepEqual(
    elsewhere.mails.map(({ isSecure }) => isSecure),
    [true],
  )
})

test('a wrong password fails for now, and the password is in no answer', async () => {
  await using server = await openMailServer({ tls: 'starttls', needsLogin: true })
  const wrong = server.url.replace(/:[^:@]+@/, ':guess-1234@')
  const result = await send(wrong)
  assert.equal(result.outcome, 'failed')
  assert.match(result.response, /refused the sign-in: 535/)
  assert.doesNotMatch(result.response, /guess/)
  await assert.rejects(() => sender(wrong).check(), /refused the sign-in: 535/)
  await using open = await openMailServer()
  // A server that offers no sign-in gets no mail without one.
  const withLogin = open.url.replace('://', '://ada:secret@')
  assert.equal((await send(withLogin, { tls: 'off' })).outcome, 'failed')
})

test('4xx answers are temporary, 5xx answers are final', async () => {
  for (const [treatment, outcome] of [
    [{ refuse: 450, text: 'Greylisted' }, 'failed'],
    [{ reject: 451, text: 'Try again' }, 'failed'],
    [{ refuse: 550, text: 'No such user' }, 'refused'],
    [{ reject: 554, text: 'Looks like spam' }, 'refused'],
    [{ refuse: 530, text: 'Sign in first' }, 'failed'],
  ] as const) {
    await using server = await openMailServer({ treat: () => treatment })
    const result = await send(server.url, { tls: 'off' })
    assert.deepEqual([result.outcome, result.response.includes(treatment.text)], [outcome, true])
  }
})

test('a server that is down, hangs up or ends the connection after the mail fails for now', async () => {
  await using dropping = await openMailServer({ treat: () => 'drop' })
  assert.equal((await send(dropping.url, { tls: 'off' })).outcome, 'failed')
  assert.equal(dropping.mails.length, 1)
  await using hangingUp = await openHangingUpServer()
  assert.equal((await send(`smtp://127.0.0.1:${hangingUp.port}`, { tls: 'off' })).outcome, 'failed')
  assert.equal((await send('smtp://127.0.0.1:1', { tls: 'off' })).outcome, 'failed')
})

test('sending to a server that never answers ends when the signal aborts', async () => {
  await using server = await openMailServer({ treat: () => 'hang' })
  const abort = new AbortController()
  const sending = sender(server.url, { tls: 'off' }).send(
    MESSAGE,
    '<mail_1@example.com>',
    abort.signal,
  )
  await server.waitForMails(1)
  abort.abort(new Error('the node stops'))
  await assert.rejects(sending)
})

test('names, subjects and texts add no header and no recipient', async () => {
  await using server = await openMailServer()
  const hostile = {
    ...MESSAGE,
    to: { name: 'Ada" <eve@example.com>, \r\nBcc: eve@example.com', address: 'ada@example.com' },
    subject: 'Plan\r\nBcc: eve@example.com\r\n\r\n<script>\u0000',
    text: '.\r\nQUIT\r\n.\r\nMAIL FROM:<eve@example.com>',
  }
  assert.equal((await send(server.url, { tls: 'off' }, hostile)).outcome, 'sent')
  const [mail] = server.mails
  assert.deepEqual(mail?.to, ['ada@example.com'])
  assert.equal(mail?.headers.has('bcc'), false)
  assert.equal(mail?.headers.get('subject')?.length, 1)
  assert.equal(mail?.subject, 'Plan Bcc: eve@example.com <script>')
  assert.doesNotMatch(mail?.headers.get('to')?.[0] ?? '', /eve@example/)
  assert.match(mail?.text ?? '', /^\.\nQUIT\n\.\nMAIL FROM/)
  const injected = {
    ...MESSAGE,
    to: { name: '', address: 'ada@example.com>\r\nRCPT TO:<eve@example.com' },
  }
  assert.equal((await send(server.url, { tls: 'off' }, injected)).outcome, 'refused')
  assert.equal(server.mails.length, 1)
})

async function openHangingUpServer() {
  const server = createServer((socket) => socket.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.close()
    await once(server, 'close')
  }
  return { port, [Symbol.asyncDispose]: close }
}
