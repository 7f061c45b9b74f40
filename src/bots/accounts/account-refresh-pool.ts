import { runOnce } from '../../lib/async/sharing.ts'
import { systemTimers } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'
import type { BrowserPool, BrowserSlot, StorageState } from '../browser/pool/browser-slot.ts'
import type { BotAccounts } from './bot-accounts.ts'

/** A slot closes without saving its cookies if reading them takes longer. */
const READ_TIMEOUT_MS = 30_000

type SavedAccounts = Pick<BotAccounts, 'versionOf' | 'saveRefreshedState'>

/**
 * Wraps a browser pool. When a slot is released, the pool saves the cookies that the signed-in browser refreshed. If
 * visits overlap, only the first to end is saved: the version check refuses the later ones.
 */
export function wrapPoolToSaveAccountStates(
  pool: BrowserPool,
  accounts: SavedAccounts,
  log: Log,
): BrowserPool {
  return {
    async acquire(options, signal) {
      const slot = await pool.acquire(options, signal)
      const { storageState } = options
      return storageState === undefined ? slot : refreshOnRelease(slot, storageState, accounts, log)
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

function refreshOnRelease(
  slot: BrowserSlot,
  given: StorageState,
  accounts: SavedAccounts,
  log: Log,
): BrowserSlot {
  const account = accounts.versionOf(given)
  if (account === null) return slot
  const renew = async () => {
    if (slot.lostSignal.aborted) return
    try {
      await accounts.saveRefreshedState(account, await withTimeout(slot.context.storageState()))
    } catch (error) {
      // The stored state stays valid. The error message may hold cookies, so only the name of the error is logged.
      const what = error instanceof Error ? error.name : 'unknown'
      log.warn(
        { account: account.name, what },
        'failed to save the refreshed state of a bot account',
      )
    }
  }
  return {
    context: slot.context,
    page: slot.page,
    cdpSession: slot.cdpSession,
    lostSignal: slot.lostSignal,
    reportActivity: () => slot.reportActivity(),
    [Symbol.asyncDispose]: runOnce(async () => {
      await renew()
      await slot[Symbol.asyncDispose]()
    }),
  }
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const cancel = systemTimers.after(READ_TIMEOUT_MS, () => late.reject(new Error('too late')))
  try {
    return await Promise.race([work, late.promise])
  } finally {
    cancel()
  }
}
