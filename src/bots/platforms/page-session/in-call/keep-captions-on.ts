import { disableLowPower } from '../../../browser/page/low-power.ts'
import { areLanguageTagsCompatible } from '../../language-tag.ts'
import { describeEndReason } from '../end-details.ts'
import type { PageSession, SessionEnd } from '../page-session.ts'
import type { InCallTask } from './in-call-tasks.ts'

const FIRST_RETRY_MS = 1_500
const MAX_RETRY_MS = 30_000
/** How often captions that are only assumed to be on are turned on again. */
const AGAIN_MS = 10_000
/** Low power is disabled after this many attempts, because some pages then show no captions. */
const LOW_POWER_TRIES = 3
/** An action that takes this long was probably cancelled, but may still take effect. */
const SLOW_ACTION_MS = 2_000
/** Captions that arrived this recently prove that captions are on, even if the page shows none. */
const RECENT_CAPTION_MS = 5_000

/** What the captions button says; `unknown` if the page does not show it, or if it does not say. */
type CaptionsButtonState = 'on' | 'off' | 'unknown'

/** The caption language is set at most this often in a call, because some pages never accept it. */
const MAX_TRIES = 20
/** The wrong language is reported after this many attempts without effect. The bot keeps trying. */
const REPORT_AFTER_TRIES = 3

/** Turns captions on with one action of the platform after the other. */
function createCaptionSwitch(session: PageSession) {
  const { platform, pageActions, slot, now } = session
  const { turnOn, turnOnAgain } = platform.captions
  let tries = 0
  /** How many of the actions for turning captions on have been tried. The next attempt continues after them. */
  let usedActions = 0
  let hasWorked = false
  let triedAt = -Infinity

  async function tryActions(): Promise<void> {
    for (const act of turnOn.slice(usedActions)) {
      const beganAt = now()
      usedActions = (usedActions + 1) % turnOn.length
      hasWorked = await session.tryOnPage('turn captions on', () => act(pageActions))
      if (hasWorked) usedActions = 0
      // Some actions only toggle, so the page must be observed before the next one.
      if (hasWorked || now() - beganAt >= SLOW_ACTION_MS) return
    }
  }
  return {
    /** True if the last action for turning captions on reported success. */
    hasWorked: () => hasWorked,
    triedAt: () => triedAt,
    async turnOn(): Promise<void> {
      tries += 1
      if (tries === LOW_POWER_TRIES)
        await session.tryOnPage(
          'disable low power',
          async () => (await disableLowPower(slot), true),
        )
      await session.movePointer()
      hasWorked = false
      await tryActions()
      triedAt = now()
    },
    /** Does nothing on platforms where the same action could turn captions off. */
    async turnOnAgain(): Promise<void> {
      if (turnOnAgain === null) return
      await session.tryOnPage('turn captions on again', () => turnOnAgain(pageActions))
      triedAt = now()
    },
  }
}

/**
 * Keeps captions on. Retries with growing pauses while the page shows no captions. An empty caption area proves
 * nothing; the captions button or a caption does. Captions are lost only if the wire delivers none either. While the
 * page reconnects, it only reports lost captions, because the page restores its parts itself.
 */
export function createKeepCaptionsOnTask(session: PageSession): InCallTask {
  const { platform, pageState, captionReader, timeouts, now, emit, speech, captionLanguage } =
    session
  const { appearsOnlyWithSpeech, offPart, onPart } = platform.captions
  const captionSwitch = createCaptionSwitch(session)
  let pauseMs = FIRST_RETRY_MS
  let hasBeenShown = false
  /** True if the caption area on the page is proven to show captions. */
  let isProven = false
  let haveBeenOn = false
  let missingSince: number | null = null
  /** When the page was last connected with captions on. */
  let shownAt = -Infinity
  /** A bot that rejoins reports when captions are on, because nothing was recorded before that. */
  let areLost = session.wasAdmittedBefore
  let wasReconnecting = false

  /**
   * Without words, captions that are assumed to be on may be off: the page may have ignored the action, or a participant
   * may have turned them off before the bot saw them.
   */
  async function turnOnUnlessSure(isShown: boolean): Promise<void> {
    const isUnheard = captionReader.lastCaptionAt() === -Infinity
    const isUnsure = areAssumedOn() || (isShown && isUnheard)
    if (!isUnsure || hasRecentCaption() || buttonState() === 'on') return
    if (now() - captionSwitch.triedAt() >= AGAIN_MS) await captionSwitch.turnOnAgain()
  }
  /** True if captions were turned on successfully, but the page shows them only during speech. */
  function areAssumedOn(): boolean {
    return appearsOnlyWithSpeech && captionSwitch.hasWorked() && !hasBeenShown
  }
  function buttonState(): CaptionsButtonState {
    if (pageState.isPartShown(offPart)) return 'off'
    return pageState.isPartShown(onPart) ? 'on' : 'unknown'
  }
  /** True if the area on the page is known to be the captions, not just an empty container. */
  function isAreaOn(): boolean {
    const isShown = pageState.isPartShown('captionsRegion')
    const button = buttonState()
    if (!isShown || button === 'off') isProven = false
    else if (button === 'on' || captionSwitch.hasWorked() || hasRecentCaption()) isProven = true
    return isProven
  }
  function hasRecentCaption(): boolean {
    return now() - captionReader.lastCaptionAt() < RECENT_CAPTION_MS
  }
  function areOn(isShown: boolean): boolean {
    return isShown || areAssumedOn() || hasRecentCaption()
  }
  /** True if captions were turned on in vain for so long that the call is useless to the bot. */
  function areUnavailable(): boolean {
    const limit = haveBeenOn ? timeouts.captionsBackMs : timeouts.captionsMs
    const mayBeSilence =
      appearsOnlyWithSpeech && captionSwitch.hasWorked() && buttonState() !== 'off'
    if (missingSince === null || mayBeSilence || speech.isRecording()) return false
    return now() - missingSince >= limit
  }
  async function updateMode(isOn: boolean, areProven: boolean): Promise<void> {
    const { isWrong: areInWrongLanguage } = captionLanguage
    const lastCaptionAt = captionReader.lastCaptionAt()
    await speech.update({ areOn: isOn, areProven, areInWrongLanguage, lastCaptionAt })
    if (speech.needsNoCaptions()) return
    if (isOn) {
      missingSince = null
      haveBeenOn = true
      if (areLost) emit({ kind: 'captions back' })
      areLost = false
      return
    }
    missingSince ??= now()
    // Speech is recorded instead, without a gap.
    if (speech.isAvailable()) return
    if (areLost || !haveBeenOn || now() - missingSince < timeouts.captionsLostMs) return
    areLost = true
    const sinceMs = Math.max(0, now() - Math.max(shownAt, captionReader.lastCaptionAt()))
    emit({ kind: 'captions lost', detail: `${platform.title} stopped showing captions`, sinceMs })
  }

  return async () => {
    if (speech.needsNoCaptions()) return (await updateMode(false, false), null)
    if (pageState.latest().conditions.includes('reconnecting')) {
      wasReconnecting = true
      await updateMode(hasRecentCaption(), true)
      return null
    }
    // The limit for turning captions on starts after the page has reconnected.
    if (wasReconnecting) missingSince = null
    wasReconnecting = false
    const isShown = isAreaOn()
    hasBeenShown ||= isShown
    if (isShown || areAssumedOn()) shownAt = session.observedAt()
    if (isShown) pauseMs = FIRST_RETRY_MS
    // Some actions only toggle. With an observation from before the last attempt, they could turn captions off again.
    else if (!areAssumedOn() && session.observedAt() - captionSwitch.triedAt() >= pauseMs) {
      if (captionSwitch.triedAt() !== -Infinity) pauseMs = Math.min(2 * pauseMs, MAX_RETRY_MS)
      await captionSwitch.turnOn()
    }
    await turnOnUnlessSure(isShown)
    await updateMode(areOn(isShown), isShown || hasRecentCaption())
    return areUnavailable() ? createCaptionsUnavailableEnd(session) : null
  }
}

function createCaptionsUnavailableEnd({ pageState, platform, speech }: PageSession): SessionEnd {
  const because = 'captions_unavailable'
  const obstacle = speech.obstacle()
  const captions = pageState.isPartShown('attendeeView')
    ? 'The bot can only watch this town hall or webinar, without captions. Invite it as a presenter, or ask for a normal meeting'
    : describeEndReason(because, platform.title)
  return { kind: 'over', because, detail: [captions, obstacle].filter(Boolean).join('. ') }
}

/**
 * Sets the caption language, and sets it again if a participant changes it. If no language was requested and the
 * platform translates the captions, sets them to the spoken language.
 */
export function createKeepCaptionLanguageTask(session: PageSession): InCallTask {
  const { platform, joinRequest, pageActions, captionReader, pageState, timeouts, now } = session
  const { setLanguage, readLanguage } = platform.captions
  let triedAt = -Infinity
  let isSet = false
  let tries = 0
  let spokenLanguage: string | null = null
  let reported = ''

  /** The newest caption since the last attempt to set the language. Earlier ones prove nothing. */
  function latestCaption() {
    const latest = captionReader.language()
    return latest !== null && latest.at > triedAt ? latest : null
  }
  /** True if page and captions have the language, as far as they say. */
  async function isCurrent(wanted: string): Promise<boolean> {
    const tags = [await readLanguage?.(pageActions), latestCaption()?.tag]
    return tags.every((tag) => !tag || areLanguageTagsCompatible(tag, wanted))
  }
  function reportProblem(wanted: string): void {
    const latest = latestCaption()
    if (latest === null || tries < REPORT_AFTER_TRIES) return
    session.captionLanguage.isWrong = true
    const { tag, translatedFrom } = latest
    const detail =
      translatedFrom === null
        ? `The captions are in ${tag}, not in ${wanted}`
        : `The captions are translated from ${translatedFrom} into ${tag}`
    if (detail === reported) return
    reported = detail
    session.emit({ kind: 'caption problem', code: 'caption_language', detail })
  }

  return async () => {
    spokenLanguage = latestCaption()?.translatedFrom ?? spokenLanguage
    const wanted = joinRequest.language ?? spokenLanguage
    const areCaptionsShown =
      platform.captions.appearsOnlyWithSpeech || pageState.isPartShown('captionsRegion')
    if (wanted === null || !areCaptionsShown || tries >= MAX_TRIES) return null
    if (now() - triedAt < timeouts.languageMs) return null
    await session.tryOnPage('set caption language', async () => {
      if (isSet && (await isCurrent(wanted))) {
        // Only a caption proves the language, because the page may show the requested language.
        if (latestCaption() !== null) session.captionLanguage.isWrong = false
        return true
      }
      reportProblem(wanted)
      tries += 1
      triedAt = now()
      isSet = await setLanguage(pageActions, wanted)
      return isSet
    })
    return null
  }
}
