import type { CDPSession } from 'playwright-core'

/** Evaluates an expression of our own in the page, waits for its promise, and returns its value as JSON. */
export async function evaluateInPage(
  cdpSession: CDPSession,
  { expression, contextId }: { expression: string; contextId?: number },
): Promise<unknown> {
  const { result, exceptionDetails } = await cdpSession.send('Runtime.evaluate', {
    expression,
    ...(contextId !== undefined && { contextId }),
    awaitPromise: true,
    returnByValue: true,
  })
  if (exceptionDetails === undefined) return result.value
  const { exception, text } = exceptionDetails
  throw new InjectedScriptError(exception?.description ?? text)
}

/** Our own script in the page threw; the message is the stack in the page. */
export class InjectedScriptError extends Error {
  override readonly name = 'InjectedScriptError'
}
