import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createLog } from '../../log.ts'
import type { BrowserSlot } from '../browser/pool/browser-slot.ts'
import { wrapPoolToSaveAccountStates } from './account-refresh-pool.ts'

test('a second release of a signed-in slot waits until the first has saved its cookies and closed it', async () => {
  const order: string[] = []
  const state = { cookies: [], origins: [] }
  const slot = {
    context: { storageState: () => Promise.resolve(state) },
    lostSignal: new AbortController().signal,
    [Symbol.asyncDispose]: async () => void order.push('close'),
  } as unknown as BrowserSlot
  const pool = wrapPoolToSaveAccountStates(
    { acquire: () => Promise.resolve(slot), [Symbol.asyncDispose]: () => Promise.resolve() },
    {
      versionOf: () => ({ name: 'a', platform: 'google_meet', addedAt: new Date(), version: 1 }),
      saveRefreshedState: async () => order.push('save') > 0,
    },
    createLog('silent'),
  )
  const options = { locale: 'en-US', mediaOrigins: [], storageState: state }
  const { [Symbol.asyncDispose]: release } = await pool.acquire(
    options,
    new AbortController().signal,
  )
  await Promise.all(['first', 'second'].map((name) => release().then(() => order.push(name))))
  assert.deepEqual(order, ['save', 'close', 'first', 'second'])
})
