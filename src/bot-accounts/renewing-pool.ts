import type { BrowserPool, Seat, StorageState } from '../browser/seat.ts'
import { systemTimers } from '../lib/timers.ts'
import type { Log } from '../log.ts'
import type { BotAccounts } from './bot-accounts.ts'

/** A page that does not tell its cookies by then is closed without them. */
const READ_MS = 3_000

/**
 * The same pool, but what a signed-in browser renewed during a visit is brought back when its seat is given up.
 * Of visits that overlap, the first to end wins: the version is the fence.
 */
export function renewAccounts(pool: BrowserPool, accounts: BotAccounts, log: Log): BrowserPool {
  return {
    async take(wishes, signal) {
      const seat = await pool.take(wishes, signal)
      const { storageState } = wishes
      return storageState === undefined ? seat : renewing(seat, storageState, accounts, log)
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

function renewing(seat: Seat, given: StorageState, accounts: BotAccounts, log: Log): Seat {
  const account = accounts.opened(given)
  if (account === null) return seat
  let isRenewed = false
  const renew = async () => {
    if (isRenewed || seat.lost.aborted) return
    isRenewed = true
    try {
      await accounts.refresh(account, await inTime(seat.context.storageState()))
    } catch (error) {
      // The account works on with what is stored. The error's words may hold cookies; its name does not.
      const what = error instanceof Error ? error.name : 'unknown'
      log.warn({ account: account.name, what }, 'bot account not renewed')
    }
  }
  return {
    context: seat.context,
    page: seat.page,
    session: seat.session,
    lost: seat.lost,
    heard: () => seat.heard(),
    async [Symbol.asyncDispose]() {
      await renew()
      await seat[Symbol.asyncDispose]()
    },
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const cancel = systemTimers.after(READ_MS, () => late.reject(new Error('too late')))
  try {
    return await Promise.race([work, late.promise])
  } finally {
    cancel()
  }
}
