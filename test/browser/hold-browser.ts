// A process that holds a browser slot until it is killed. It prints its browser's process id.
import { NEVER_ABORTED, openTestPool, POOL_REQUEST } from './open-test-pool.ts'

const pool = await openTestPool()
const slot = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
const session = await slot.context.browser()?.newBrowserCDPSession()
const found = await session?.send('SystemInfo.getProcessInfo')
process.send?.(found?.processInfo.map(({ id }) => id))
