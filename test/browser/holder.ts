// A process that holds a seat until it is killed; tells the process of its browser.
import { NEVER, openPool, WISHES } from './pool.ts'

const pool = await openPool()
const seat = await pool.take(WISHES, NEVER)
const session = await seat.context.browser()?.newBrowserCDPSession()
const found = await session?.send('SystemInfo.getProcessInfo')
process.send?.(found?.processInfo.map(({ id }) => id))
