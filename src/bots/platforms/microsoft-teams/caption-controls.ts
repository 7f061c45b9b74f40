import { z } from 'zod'
import type { PagePartActions } from '../page-session/page/page-actions.ts'
import type { CaptionControls } from '../page-session/page-platform.ts'
import type { MicrosoftTeamsPartName } from './selectors.ts'

type TeamsPageActions = PagePartActions<MicrosoftTeamsPartName>

/** The call object of the page's calling library, under one of its two known names. */
const CALL =
  '(window.callingDebug?.observableCall ?? window.msteamscalling?.deref?.()?.callingService?.getActiveCall?.())'

const LIBRARY_TRIES = 3

/**
 * The calling library comes first: it turns captions on without toggling and without menus, which differ between
 * guests and hosts.
 */
export const MICROSOFT_TEAMS_CAPTION_CONTROLS: CaptionControls<MicrosoftTeamsPartName> = {
  turnOn: [turnOnByLibrary, turnOnByMenu, turnOnByKeys],
  appearsOnlyWithSpeech: true,
  rowContent: 'utterance',
  offPart: 'captionsTurnOn',
  onPart: 'captionsTurnOff',
  setLanguage: async (actions, language) =>
    (await languageByLibrary(actions, language)) || languageByMenu(actions, language),
  readLanguage: async (actions) =>
    nonEmptyText(await actions.evaluateInPage(`(${CALL})?.getClosedCaptionsLanguage?.()`)),
}

/** The bot's own id on the wire (MRI). */
export async function readBotWireId(actions: TeamsPageActions): Promise<string | null> {
  return nonEmptyText(await actions.evaluateInPage(`(${CALL})?.callerMri`))
}

async function languageByLibrary(actions: TeamsPageActions, language: string): Promise<boolean> {
  const tag = JSON.stringify(language.toLowerCase())
  const set = `(() => { const call = ${CALL}; if (!call?.setClosedCaptionsLanguage) return false; call.setClosedCaptionsLanguage(${tag}); return true })()`
  return (await actions.evaluateInPage(set)) === true
}

/** Sets the caption language in the caption settings of the page, where a choice must be confirmed. */
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

/**
 * Turns captions on by the page's calling library, and retries when the library does not answer. Retrying is safe
 * here, while the menu and the keys could turn captions off again.
 */
async function turnOnByLibrary(actions: TeamsPageActions): Promise<boolean> {
  const start = `(() => { const call = ${CALL}; if (!call?.startClosedCaption) return false; call.startClosedCaption(); return true })()`
  for (let times = 0; times < LIBRARY_TRIES; times += 1) {
    const answer = await actions.evaluateInPage(start)
    if (answer !== null) return answer === true
  }
  return false
}

/** Guests have captions in the menu itself, hosts one level deeper. */
async function turnOnByMenu(actions: TeamsPageActions): Promise<boolean> {
  if (!(await openMenu(actions))) return false
  if (!(await actions.isShown('captionsHideItem'))) return clickItem(actions, 'captionsItem')
  // Captions are on already; the item would turn them off.
  await closeMenu(actions)
  return true
}

/** Opens the menu unless an earlier attempt left it open; clicking the button then would close it. */
async function openMenu(actions: TeamsPageActions): Promise<boolean> {
  if (!(await isMenuOpen(actions)) && !(await actions.click('moreButton'))) return false
  if (await actions.isShown('captionsItem')) return true
  if (await actions.isShown('languageMenu')) await actions.click('languageMenu')
  return true
}

async function isMenuOpen(actions: TeamsPageActions): Promise<boolean> {
  return (await actions.isShown('captionsItem')) || (await actions.isShown('languageMenu'))
}

/** Clicks an item of the open menu, and closes the menu when it does not have the item. */
async function clickItem(
  actions: TeamsPageActions,
  item: MicrosoftTeamsPartName,
): Promise<boolean> {
  if (await actions.click(item)) return true
  await closeMenu(actions)
  return false
}

async function closeMenu(actions: TeamsPageActions): Promise<void> {
  if (await isMenuOpen(actions)) await actions.click('moreButton')
}

/** Presses the keys for captions. Returns false always, because only the page shows whether the keys had an effect. */
async function turnOnByKeys(actions: TeamsPageActions): Promise<boolean> {
  await actions.pressKeys('captionsItem')
  return false
}

function nonEmptyText(said: unknown): string | null {
  return z.string().min(1).max(200).safeParse(said).data ?? null
}
