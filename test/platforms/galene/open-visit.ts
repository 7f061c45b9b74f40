import { createGalene } from '../../../src/bots/platforms/galene/galene.ts'
import {
  openVisit as openCallVisit,
  type Visit,
  type VisitOptions,
} from '../sound-call/open-visit.ts'

type Options = VisitOptions & { host: string; group?: string; password?: string }

/** Sends a bot to a server's group. */
export function openVisit({ host, group = 'talk', password, ...given }: Options): Promise<Visit> {
  const settings = { hosts: [host], password: password ?? null }
  return openCallVisit(
    (options) => createGalene({ ...options, settings }),
    `http://${host}/group/${group}/`,
    given,
  )
}
