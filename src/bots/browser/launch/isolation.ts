import { isRunByRoot } from '../../../lib/files/file-owner.ts'
import type { BrowserAccount } from './browser-account.ts'

/** How a browser is kept apart from the machine. */
export type BrowserIsolation = {
  /** The account it runs as; null for the account of the service. */
  account: BrowserAccount | null
  hasSandbox: boolean
}

/** `sandbox`: Chromium's sandbox is on; `account`: it is off, but the browser does not run as root; `none`: neither. */
const ISOLATION_LEVELS = ['sandbox', 'account', 'none'] as const
export type IsolationLevel = (typeof ISOLATION_LEVELS)[number]

export const ISOLATION_TEXTS: Readonly<Record<IsolationLevel, string>> = {
  sandbox: 'in its sandbox',
  account: 'without its sandbox, under an account other than root',
  none: 'without its sandbox, as root',
}

/** The argument with which an operator turns the sandbox off. */
const NO_SANDBOX = '--no-sandbox'

/**
 * The ways to start a browser, best first. The next one is used only when the system refuses the sandbox of the one
 * before. Without root there is one way: whether to give up the sandbox is then the operator's decision.
 */
export function listIsolations(
  account: BrowserAccount | null,
  operatorArguments: readonly string[],
): readonly [BrowserIsolation, ...BrowserIsolation[]] {
  const without = { account, hasSandbox: false }
  if (operatorArguments.includes(NO_SANDBOX)) return [without]
  // Chromium refuses to start its sandbox as root.
  if (account === null && isRunByRoot()) return [without]
  const best = { account, hasSandbox: true }
  return account === null ? [best] : [best, without]
}

export function isolationLevel({ account, hasSandbox }: BrowserIsolation): IsolationLevel {
  if (hasSandbox) return 'sandbox'
  return account === null && isRunByRoot() ? 'none' : 'account'
}
