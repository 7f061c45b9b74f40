import { runLoadedCommand } from './loaded-commands.ts'
import { createTestDataFolder } from './service-process.ts'
import { startService } from './start-service.ts'

/** A service, and the operator's commands on its machine. */
export async function startServiceWithCommands() {
  await using stack = new AsyncDisposableStack()
  // The commands hash passwords with the real cost, so the service must too.
  const service = stack.use(await startService({}, { passwords: undefined }))
  const folder = stack.use(createTestDataFolder())
  const env = {
    ...folder.env,
    DATABASE_URL: service.databaseUrl,
    HANSARD_DATA: service.dataFolder,
    HANSARD_PORT: String(service.port),
  }
  const opened = stack.move()
  return {
    service,
    env,
    home: folder.env['HOME'] ?? '',
    hansard: (...args: string[]) => runLoadedCommand(args, env),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
