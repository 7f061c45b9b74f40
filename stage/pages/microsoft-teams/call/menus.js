import { el, overlay } from '../../common/dom.js'

/** A button with a menu. The menu is in the page only while it is open. */
function menuButton(attributes, words, itemsOf) {
  let menu = null
  const button = el('button', { 'aria-expanded': 'false', ...attributes, onclick: toggle }, words)

  function shut() {
    menu?.remove()
    menu = null
    button.setAttribute('aria-expanded', 'false')
  }
  function toggle() {
    if (menu) return shut()
    menu = overlay(el('div', { role: 'menu' }, ...itemsOf(shut)))
    button.setAttribute('aria-expanded', 'true')
  }
  return button
}

function item(id, words, act, role = 'menuitem') {
  return el('div', { id, role, tabindex: '0', onclick: act }, words)
}

/** The menu of the three-dots button. A guest finds captions in it, a host one level deeper. */
export function moreButton({ texts, knobs }, captions, language) {
  const attributes = {
    id: 'callingButtons-showMoreBtn',
    'data-tid': 'more-button',
    'aria-label': texts.more,
  }
  return menuButton(attributes, texts.more, (shut) => {
    const act = () => {
      shut()
      captions.turn(!captions.isOn)
    }
    if (!knobs.hasCaptions || !knobs.hasButtonLabels) return []
    const words = captions.isOn ? texts.hideCaptions : texts.showCaptions
    const settings = item('caption-settings-button', texts.captionSettings, () => {
      shut()
      language.openSettings()
    })
    if (knobs.view === 'guest')
      return [item('closed-captions-button', texts.captions, act), settings]
    const deeper = item('closed-captions-button', words, act, 'menuitemcheckbox')
    const opener = item('LanguageSpeechMenuControl-id', texts.languageAndSpeech, () =>
      opener.after(deeper, settings),
    )
    return [opener]
  })
}

/** The menu for the video layout. The light and full clients label it differently. */
export function viewButton({ texts, isLight }) {
  const [id, speaker, gallery] = isLight
    ? [
        'custom-view-button',
        'custom-view-button-SpeakerViewButton',
        'custom-view-button-MixedGridButton',
      ]
    : ['view-mode-button', 'SpeakerView-button', 'MixedGridView-button']
  return menuButton({ id, 'aria-label': texts.view }, texts.view, (shut) => [
    item(speaker, texts.speakerView, shut, 'menuitemradio'),
    item(gallery, texts.galleryView, shut, 'menuitemradio'),
    item('toggle-incoming-video-button', texts.noVideo, shut),
  ])
}
