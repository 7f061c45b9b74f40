import type { ProviderAnswer } from '../http/provider-server.ts'

/** An error as the newer APIs of Google send it (google.rpc.Status with ErrorInfo). */
export function refuse(
  code: number,
  status: string,
  message: string,
  reason?: string,
): ProviderAnswer {
  const details =
    reason === undefined
      ? []
      : [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason,
            domain: 'googleapis.com',
            metadata: { consumer: 'projects/123' },
          },
        ]
  return { status: code, body: { error: { code, message, status, details } } }
}

/** An error as the Calendar API sends it, with both forms. */
export function refuseOldStyle(code: number, message: string, reason: string): ProviderAnswer {
  const errors = [{ message, domain: 'global', reason }]
  return { status: code, body: { error: { errors, code, message } } }
}
