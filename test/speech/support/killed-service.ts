// A program that opens a worker process, reports its process id and waits to be killed.
import { openFakePool, speak } from './fake-pool.ts'

const fake = openFakePool()
const session = fake.openSession()
speak(session, 'ada', 0, 1_000)
await session.finish()
process.send?.(fake.pool.pids()[0])
process.on('message', () => undefined)
