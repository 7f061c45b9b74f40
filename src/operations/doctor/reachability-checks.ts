import {
  createBrowserNetworkProbe,
  findProbeObstacle,
} from '../../bots/browser/network/reachability/browser-probe.ts'
import { describeNetworkFault } from '../../bots/browser/network/reachability/network-faults.ts'
import { PLATFORM_INFO } from '../../bots/platforms/platform-info.ts'
import { OperatorError } from '../../errors.ts'
import type { CheckContext, DoctorCheck } from './checks.ts'

/**
 * Several people may open the System page at once. Not longer, because a person comes here from a meeting that failed just
 * now, and a result from before that would contradict its page.
 */
const KEEP_RESULT_MS = 15_000

/** One check for each platform with a website: whether this machine can open it. */
export const REACHABILITY_CHECKS: readonly DoctorCheck[] = Object.values(PLATFORM_INFO).flatMap(
  ({ title, siteHost }) =>
    siteHost === null
      ? []
      : [
          {
            name: title,
            fix: 'see docs/operate.md#network',
            keepResultMs: KEEP_RESULT_MS,
            run: (context: CheckContext) => checkSite(context, { title, host: siteHost }),
          },
        ],
)

async function checkSite(
  { config, probeSite = createBrowserNetworkProbe() }: CheckContext,
  { title, host }: { title: string; host: string },
): Promise<string> {
  const obstacle = findProbeObstacle(config)
  if (obstacle !== null) return `not checked: ${obstacle}`
  const result = await probeSite(host)
  if (result.ok) return `${host} can be reached`
  const { what, fix } = describeNetworkFault(result.fault, title)
  throw new OperatorError(what, fix)
}
