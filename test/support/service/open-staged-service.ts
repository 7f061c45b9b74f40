import { createScriptedPlatform } from '../meetings/scripted-platform.ts'
import { startService } from './start-service.ts'

/** A service whose meetings the test itself plays, with its first user signed in. */
export async function openStagedService(env: Record<string, string> = {}) {
  const stage = createScriptedPlatform()
  const service = await startService(env, { platforms: [stage] })
  const ada = await service.adminClient()
  return { service, stage, ada, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}
