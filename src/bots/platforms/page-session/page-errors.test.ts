import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { BrowserSlotLostError } from '../../browser/pool/browser-slot.ts'
import { InjectedScriptMissingError } from '../bridge/bridge.ts'
import {
  awaitPageAnswer,
  classifyPageError,
  UnknownPartError,
  redactError,
  redactFirstMessageLine,
} from './page-errors.ts'

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name })
}

test('what a page does instead of what was asked is a page failure', () => {
  const cases: Array<[Error, string]> = [
    [named('TimeoutError', 'locator.click: Timeout 2500ms exceeded.'), 'timeout'],
    [new Error('locator.click: Target page, context or browser has been closed'), 'closed'],
    [new Error('cdpSession.send: Page crashed'), 'closed'],
    [new BrowserSlotLostError('page hung'), 'closed'],
    [
      new Error(
        'page.evaluate: Execution context was destroyed, most likely because of a navigation',
      ),
      'navigated',
    ],
    [new Error('frame.evaluate: Frame was detached'), 'navigated'],
    [new InjectedScriptMissingError(), 'navigated'],
    [new Error('page.goto: net::ERR_NAME_NOT_RESOLVED at https://meet.google.com/'), 'unreachable'],
    [new Error('locator.isChecked: Error: Not a checkbox or radio button'), 'unsuitable element'],
    [
      new Error(
        "locator.count: SyntaxError: Failed to execute 'querySelectorAll' on 'Document': '[' is not a valid selector.",
      ),
      'invalid selector',
    ],
    [new Error('page.evaluate: Error: broken by the page'), 'page script threw'],
  ]
  for (const [error, kind] of cases) assert.equal(classifyPageError(error), kind, error.message)
})

test('an error of our own code is no page failure, whatever its message says', () => {
  const errors = [
    new TypeError('page.evaluate: the page has been closed'),
    new RangeError('net::ERR_FAILED'),
    new UnknownPartError('no part is named target closed'),
    new Error('something else'),
    'not an error',
  ]
  for (const error of errors) assert.equal(classifyPageError(error), null, String(error))
})

test('a page that answers too late or is closed gives a value, and an error of our own code rejects', async () => {
  const late: unknown[] = []
  const ask = <T>(ms: number, asked: Promise<T>) =>
    awaitPageAnswer(ms, asked, (error) => late.push(error))
  assert.deepEqual(await ask(1_000, Promise.resolve(7)), { kind: 'value', value: 7 })
  assert.deepEqual(await ask(1_000, Promise.reject(new Error('Target closed'))), { kind: 'closed' })
  await assert.rejects(ask(1_000, Promise.reject(new TypeError('wrong'))), TypeError)
  assert.deepEqual(late, [])
  const slow = Promise.withResolvers<never>()
  assert.deepEqual(await ask(1, slow.promise), { kind: 'timeout' })
  slow.reject(new TypeError('late'))
  await new Promise(setImmediate)
  assert.deepEqual(late, [new TypeError('late')])
})

test('a redacted error has its stack and no passcode, token or text of the page', () => {
  const error = new Error(
    'page.goto: net::ERR_FAILED at https://teams.microsoft.com/meet/123?p=secret#token=abc\nCall log:\n  <b>Ana said</b>',
  )
  const { message, stack } = redactError(error)
  assert.equal(message, 'page.goto: net::ERR_FAILED at https://teams.microsoft.com/meet/123')
  assert.match(stack ?? '', /\n\s+at .*page-errors\.test/)
  assert.doesNotMatch(stack ?? '', /secret|abc|Ana/)
  assert.equal(
    redactFirstMessageLine('page.evaluate: Error: Ana said so'),
    'page.evaluate: [page text]',
  )
})
