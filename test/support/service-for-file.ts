import type { ServiceOverrides } from '../../src/app/service.ts'
import type { Log } from '../../src/log.ts'
import { openForFile } from './open-for-file.ts'
import { startService, type TestService } from './service/start-service.ts'

/** One service for all tests of a file. They share its first user, so each can ask for `adminClient`. */
export function startServiceForFile(
  env: Record<string, string> = {},
  extras: ServiceOverrides = {},
  log?: Log,
): () => TestService {
  return openForFile(async () => {
    const service = await startService(env, extras, log)
    const admin = await service.adminClient()
    return { ...service, adminClient: async () => admin }
  })
}
