import { z } from 'zod'
import type { PageActions } from '../page-session/page-actions.ts'
import type { CaptionControls } from '../page-session/page-platform.ts'
import type { MicrosoftTeamsPart } from './selectors.ts'

type TeamsPageActions = PageActions<MicrosoftTeamsPart>

/** The object of the page's calling library, by either of the names under which it has been seen. */
const CALL =
  '(window.callingDebug?.observableCall ?? window.msteamscalling?.deref?.()?.callingService?.getActiveCall?.())'

const LIBRARY_TRIES = 3

/** The library first: it does not toggle, and asks for no menus that differ between guests and hosts. */
export const MICROSOFT_TEAMS_CAPTION_CONTROLS: CaptionControls<MicrosoftTeamsPart> = {
  turnOn: [turnOnByLibrary, turnOnByMenu, turnOnByKeys],
  appearsOnlyWithSpeech: true,
  setLanguage: async (actions, language) =>
    (await languageByLibrary(actions, language)) || languageByMenu(actions, language),
  readLanguage: async (actions) =>
    nonEmptyText(await actions.evaluateInPage(`(${CALL})?.getClosedCaptionsLanguage?.()`)),
}

/** Our own name on the wire. */
export async function readOwnMri(actions: TeamsPageActions): Promise<string | null> {
  return nonEmptyText(await actions.evaluateInPage(`(${CALL})?.callerMri`))
}

async function languageByLibrary(actions: TeamsPageActions, language: string): Promise<boolean> {
  const tag = JSON.stringify(language.toLowerCase())
  const set = `(() => { const call = ${CALL}; if (!call?.setClosedCaptionsLanguage) return false; call.setClosedCaptionsLanguage(${tag}); return true })()`
  return (await actions.evaluateInPage(set)) === true
}

/** In the settings of captions, where a choice counts only when it is confirmed. */
async function languageByMenu(actions: TeamsPageActions, language: string): Promise<boolean> {
  await actions.movePointer()
  const isOpen = await actions.isShown('languageChoice')
  if (!isOpen && !(await openMenu(actions))) return false
  if (!isOpen && !(await clickItem(actions, 'captionSettingsItem'))) return false
  await actions.click('languageChoice')
  const isChosen = await actions.clickHidden('languageItem', language)
  const isClosed = await actions.click(isChosen ? 'languageConfirm' : 'cancelButton')
  return isChosen && isClosed
}

/** Asked again when it does not answer: that turns nothing off, as the ways after it might. */
async function turnOnByLibrary(actions: TeamsPageActions): Promise<boolean> {
  const start = `(() => { const call = ${CALL}; if (!call?.startClosedCaption) return false; call.startClosedCaption(); return true })()`
  for (let times = 0; times < LIBRARY_TRIES; times += 1) {
    const answer = await actions.evaluateInPage(start)
    if (answer !== null) return answer === true
  }
  return false
}

/** A guest finds captions in the menu itself, a host one level deeper. */
async function turnOnByMenu(actions: TeamsPageActions): Promise<boolean> {
  return (await openMenu(actions)) && (await clickItem(actions, 'captionsItem'))
}

/** Its button closes a menu that an earlier try has left open. */
async function openMenu(actions: TeamsPageActions): Promise<boolean> {
  if (!(await isMenuOpen(actions)) && !(await actions.click('moreButton'))) return false
  if (await actions.isShown('captionsItem')) return true
  if (await actions.isShown('languageMenu')) await actions.click('languageMenu')
  return true
}

async function isMenuOpen(actions: TeamsPageActions): Promise<boolean> {
  return (await actions.isShown('captionsItem')) || (await actions.isShown('languageMenu'))
}

/** A menu without the item is closed again. */
async function clickItem(actions: TeamsPageActions, item: MicrosoftTeamsPart): Promise<boolean> {
  if (await actions.click(item)) return true
  if (await isMenuOpen(actions)) await actions.click('moreButton')
  return false
}

/** Whether the keys did anything can only be seen. */
async function turnOnByKeys(actions: TeamsPageActions): Promise<boolean> {
  await actions.pressKeys('captionsItem')
  return false
}

function nonEmptyText(said: unknown): string | null {
  return z.string().min(1).max(200).safeParse(said).data ?? null
}
