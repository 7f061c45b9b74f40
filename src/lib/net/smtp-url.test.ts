import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { tryParseSmtpUrl } from './smtp-url.ts'

test('the address of a mail server has its own ports, and a name and password that may be encoded', () => {
  assert.deepEqual(tryParseSmtpUrl('smtps://ada%40example.com:p%3Aw%2F@mail.example.com'), {
    host: 'mail.example.com',
    port: 465,
    isImplicitTls: true,
    login: { user: 'ada@example.com', password: 'p:w/' },
  })
  assert.deepEqual(tryParseSmtpUrl('smtp://[::1]:2525/'), {
    host: '::1',
    port: 2525,
    isImplicitTls: false,
    login: null,
  })
  assert.equal(tryParseSmtpUrl('smtp://mail.example.com')?.port, 587)
})

test('an address that is not one of a mail server is refused', () => {
  const wrong = [
    'mail.example.com',
    'https://mail.example.com',
    'smtp://',
    'smtp://mail.example.com/path',
    'smtp://mail.example.com?tls=off',
    'smtp://only-a-name@mail.example.com',
    'smtp://%E0%A4%A:x@mail.example.com',
  ]
  assert.deepEqual(
    wrong.filter((url) => tryParseSmtpUrl(url) !== null),
    [],
  )
})
