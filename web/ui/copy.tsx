import { Button, Text, VisuallyHidden, Group, TextInput, Stack } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { useState, useEffect, useRef, type MouseEvent, type ReactNode } from 'react'
import { CheckIcon, CopyIcon } from './icons.tsx'

type RichText = { plain: string; html: string }

interface CopyButtonProps {
  /** The text, or a function that makes formatted text when the button is pressed. */
  text: string | (() => RichText)
  /** The name of the copied value, used after "Copy": "API key". */
  what: string
  /** Shows `what` on the button. Without it, only screen readers read `what`. */
  showsLabel?: boolean
  size?: 'xs' | 'sm'
  onCopied?: () => void
}

type CopyResult = 'none' | 'copied' | 'failed'

export function CopyButton({
  text,
  what,
  showsLabel = false,
  size = 'sm',
  onCopied,
}: CopyButtonProps) {
  const [outcome, setOutcome] = useState<CopyResult>('none')
  const { start } = useTimeout(() => setOutcome('none'), 4_000)

  async function copy({ currentTarget }: MouseEvent<HTMLButtonElement>): Promise<void> {
    const isCopied =
      typeof text === 'string'
        ? await copyText(text, currentTarget)
        : await copyRichText(text(), currentTarget)
    setOutcome(isCopied ? 'copied' : 'failed')
    if (!isCopied) return
    start()
    onCopied?.()
  }

  return (
    <>
      <Button
        variant="default"
        size={size}
        onClick={(event) => void copy(event)}
        leftSection={outcome === 'copied' ? <CheckIcon /> : <CopyIcon />}
      >
        {/* Hidden text instead of aria-label, so that the label `what` matches only the field next to the button. */}
        Copy {showsLabel ? what : <VisuallyHidden>{what}</VisuallyHidden>}
      </Button>
      {/* A check mark shows success. A failure is explained in text. */}
      {outcome === 'failed' ? (
        <Text role="alert" size="sm" c="var(--mantine-color-error)" flex="1 0 100%">
          Your browser blocked copying. Select the text and copy it manually.
        </Text>
      ) : (
        <VisuallyHidden role="status">{outcome === 'copied' && `Copied ${what}`}</VisuallyHidden>
      )}
    </>
  )
}

/**
 * Copies text to the clipboard. The Clipboard API exists only on https and localhost. On plain http, which is common in
 * home networks, `document.execCommand('copy')` is the fallback.
 */
export async function copyText(text: string, returnFocusTo: HTMLElement): Promise<boolean> {
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      return copyBySelection(text, returnFocusTo)
    }
  }
  return copyBySelection(text, returnFocusTo)
}

/** Copies text in its formatted form too, if the browser allows it, otherwise only as text. */
export async function copyRichText(
  { plain, html }: RichText,
  returnFocusTo: HTMLElement,
): Promise<boolean> {
  if (!window.isSecureContext || typeof ClipboardItem === 'undefined')
    return copyText(plain, returnFocusTo)
  try {
    const types = { 'text/plain': plain, 'text/html': html }
    const blobs = Object.entries(types).map(([type, text]) => [type, new Blob([text], { type })])
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))])
    return true
  } catch {
    return copyText(plain, returnFocusTo)
  }
}

/** Copies through a temporary text field, inserted next to the button, because an open dialog traps the focus. */
function copyBySelection(text: string, near: HTMLElement): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.position = 'fixed'
  field.style.opacity = '0'
  near.after(field)
  field.select()
  try {
    return document.execCommand('copy')
  } finally {
    field.remove()
    near.focus()
  }
}

interface CopyFieldProps {
  label: string
  value: string
  /** The name of the copied value, used after "Copy": "API key". */
  what: string
  description?: string
  /** Focuses the field when it appears. */
  hasAutofocus?: boolean
  onCopied?: () => void
}

export function CopyField({
  label,
  value,
  what,
  description,
  hasAutofocus,
  onCopied,
}: CopyFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (hasAutofocus) field.current?.focus()
  }, [hasAutofocus])
  return (
    <Group align="flex-end" gap="xs">
      <TextInput
        ref={field}
        label={label}
        description={description}
        value={value}
        readOnly
        flex="1 1 160px"
        miw={0}
        classNames={{ input: 'secret-value' }}
        onFocus={(event) => event.currentTarget.select()}
        spellCheck={false}
        autoComplete="off"
      />
      <CopyButton text={value} what={what} {...(onCopied && { onCopied })} />
    </Group>
  )
}

interface CreatedLinkProps {
  label: string
  link: string
  /** The name of the copied value, used after "Copy". */
  what?: string
  description?: string
  onDone: () => void
  children?: ReactNode
}

/** A secret, or a link with one, which exists only in the state of the dialog that shows it. */
export function CreatedLink({ label, link, onDone, children, ...field }: CreatedLinkProps) {
  return (
    <Stack>
      {children}
      <CopyField label={label} value={link} what="link" hasAutofocus {...field} />
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  )
}
