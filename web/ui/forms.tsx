import { Stack, Button, Group, PasswordInput, TextInput } from '@mantine/core'
import type { ReactNode, SubmitEvent, ChangeEventHandler } from 'react'
import { createContext, use, useEffect, useMemo, useRef, useState, useId } from 'react'
import { useDebouncedCallback } from '@mantine/hooks'
import { PASSWORD_HINT } from '../../src/http/shapes/values.ts'
import { toApiError } from '../api/api-error.ts'
import { ErrorBox } from './feedback/feedback.tsx'
import { createLatestQueue } from './forms/latest-queue.ts'

type FieldErrors = Record<string, string>

const FieldErrorsContext = createContext<FieldErrors>({})

export function useFieldError(name: string): string | undefined {
  return use(FieldErrorsContext)[name]
}

/** Validates with the browser's constraint validation, but shows each error permanently at its field. */
export function Form({ action, children }: { action: Action<[FormData]>; children: ReactNode }) {
  const form = useRef<HTMLFormElement>(null)
  const [invalid, setInvalid] = useState<FieldErrors>({})
  const [names, setNames] = useState<string[]>([])
  const serverErrors = useMemo(() => assignToFields(action.error, names), [action.error, names])
  const problems = useMemo(() => ({ ...serverErrors.byField, ...invalid }), [serverErrors, invalid])

  useEffect(() => {
    if (action.error) focusFirstInvalid(form.current, Object.keys(serverErrors.byField))
  }, [action.error, serverErrors])

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    // Otherwise React passes the submit event of a form in a dialog to the form that contains the dialog.
    event.stopPropagation()
    const found = findInvalidFields(event.currentTarget)
    setInvalid(found)
    setNames(namedFields(event.currentTarget).map(({ name }) => name))
    if (Object.keys(found).length > 0) focusFirstInvalid(event.currentTarget, Object.keys(found))
    else void action.run(new FormData(event.currentTarget))
  }

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <FieldErrorsContext value={problems}>
        <Stack gap="md">
          {children}
          {action.error && !serverErrors.areAllAtFields ? (
            <ErrorBox error={action.error} fieldsWithOwnError={serverErrors.paths} />
          ) : null}
        </Stack>
      </FieldErrorsContext>
    </form>
  )
}

export function readFormText(values: FormData, name: string): string {
  return readUntrimmedFormText(values, name).trim()
}

/** Only for values that must stay as typed, such as passwords. */
export function readUntrimmedFormText(values: FormData, name: string): string {
  const value = values.get(name)
  return typeof value === 'string' ? value : ''
}

/**
 * Assigns the server's errors to the fields that show them, and lists the paths of those errors. A field with a list,
 * such as `projects`, also shows the errors of its entries, such as `projects.0`. If fields show all problems, the box
 * has nothing left to say.
 */
function assignToFields(
  error: unknown,
  names: readonly string[],
): { byField: FieldErrors; paths: string[]; areAllAtFields: boolean } {
  const byField: FieldErrors = {}
  const paths: string[] = []
  const details = error ? toApiError(error).details : []
  for (const { path, message } of details) {
    const field = names.find((name) => path === name || path.startsWith(`${name}.`))
    byField[field ?? path] ??= message
    if (field !== undefined) paths.push(path)
  }
  return { byField, paths, areAllAtFields: paths.length > 0 && paths.length === details.length }
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

function namedFields(form: HTMLFormElement | null): Field[] {
  return [...(form?.querySelectorAll<Field>('input[name], select[name], textarea[name]') ?? [])]
}

function findInvalidFields(form: HTMLFormElement): FieldErrors {
  const invalid = namedFields(form).filter((field) => !field.validity.valid)
  return Object.fromEntries(invalid.map((field) => [field.name, field.validationMessage]))
}

function focusFirstInvalid(form: HTMLFormElement | null, names: string[]): void {
  const field = namedFields(form).find(({ name }) => names.includes(name))
  const target = field ?? form?.querySelector<HTMLElement>('[role="alert"]')
  target?.focus()
}

interface FormButtonsProps {
  /** Label of the submit button. */
  children: string
  isRunning: boolean
  isDisabled?: boolean
  onCancel: () => void
}

/** The Cancel and submit buttons at the end of a form in a dialog. */
export function FormButtons({
  children,
  isRunning,
  isDisabled = false,
  onCancel,
}: FormButtonsProps) {
  return (
    <Group justify="flex-end" mt="sm">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={isRunning} disabled={isDisabled}>
        {children}
      </Button>
    </Group>
  )
}

interface FieldProps {
  name: string
  label: string
  description?: ReactNode
  autoComplete?: string
  type?: 'text' | 'email'
  defaultValue?: string
  maxLength?: number
  isOptional?: boolean
  /** The first field of a dialog, which gets the focus when the dialog opens. */
  hasAutofocus?: boolean
  /** The first field of a page, which gets the focus when the page opens. */
  autoFocus?: boolean
  onChange?: ChangeEventHandler<HTMLInputElement>
}

export function TextField({ isOptional = false, hasAutofocus = false, ...field }: FieldProps) {
  return (
    <TextInput
      {...field}
      error={useFieldError(field.name)}
      required={!isOptional}
      withAsterisk={false}
      data-autofocus={hasAutofocus || undefined}
    />
  )
}

interface PasswordFieldProps {
  name: string
  label: string
  autoComplete: 'current-password' | 'new-password'
  autoFocus?: boolean
}

export function PasswordField(field: PasswordFieldProps) {
  return (
    <PasswordInput
      {...field}
      description={field.autoComplete === 'new-password' ? PASSWORD_HINT : undefined}
      error={useFieldError(field.name)}
      required
      withAsterisk={false}
      maxLength={1024}
      visibilityToggleFocusable
      // The toggle is not named "Show password", so that only the field itself matches the label "Password".
      visibilityToggleButtonProps={{ 'aria-label': 'Show characters' }}
    />
  )
}

export interface Action<Input extends unknown[]> {
  run: (...input: Input) => Promise<void>
  isRunning: boolean
  error: unknown
  reset: () => void
}

/**
 * Runs one request that changes something, and tracks its state. Does not use TanStack mutations, because their cache
 * would keep request and response (passwords, keys) after the form is closed.
 */
export function useAction<Input extends unknown[]>(
  work: (...input: Input) => Promise<void>,
): Action<Input> {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>(null)

  async function run(...input: Input): Promise<void> {
    if (isRunning) return
    setRunning(true)
    setError(null)
    try {
      await work(...input)
    } catch (problem) {
      setError(problem)
    } finally {
      setRunning(false)
    }
  }

  return { run, isRunning, error, reset: () => setError(null) }
}

interface LatestAction<Input> {
  run: (input: Input) => Promise<void>
  isRunning: boolean
  error: unknown
}

/**
 * Like `useAction`, for a value that the user may change again before it is saved. A second change is not lost: it is
 * sent when the previous request has ended.
 */
export function useLatestAction<Input>(work: (input: Input) => Promise<void>): LatestAction<Input> {
  const [queue] = useState(createLatestQueue)
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>(null)

  async function run(input: Input): Promise<void> {
    setRunning(true)
    const isLast = await queue.run(async () => {
      setError(null)
      try {
        await work(input)
      } catch (problem) {
        setError(problem)
      }
    })
    if (isLast) setRunning(false)
  }

  return { run, isRunning, error }
}

const DEBOUNCE_MS = 200

/**
 * A text field that mirrors a URL parameter. Typed text is written to the URL after a pause. A URL change from
 * elsewhere, such as the back button, updates the field but never overwrites text that is being typed.
 */
export function useDebouncedUrlField(
  urlValue: string,
  onPause: (text: string) => void,
): [string, (text: string) => void] {
  const [text, setText] = useState(urlValue)
  const [sent, setSent] = useState(urlValue)
  const [seen, setSeen] = useState(urlValue)
  if (urlValue !== seen) {
    setSeen(urlValue)
    if (urlValue !== sent) setText(urlValue)
    setSent(urlValue)
  }
  const send = useDebouncedCallback((typed: string) => {
    setSent(typed.trim())
    onPause(typed.trim())
  }, DEBOUNCE_MS)
  return [
    text,
    (typed) => {
      setText(typed)
      send(typed)
    },
  ]
}

interface TimeZoneFieldProps {
  name: string
  description: string
  value: string
  error: string | undefined
  onChange: (zone: string) => void
}

/** A field for the IANA name of a time zone, which suggests the names that the browser knows. */
export function TimeZoneField({ name, description, value, error, onChange }: TimeZoneFieldProps) {
  const listId = useId()
  const zones = useMemo(() => ['UTC', ...Intl.supportedValuesOf('timeZone')], [])
  return (
    <>
      <TextInput
        name={name}
        label="Time zone"
        description={description}
        list={listId}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
        required
        withAsterisk={false}
        autoComplete="off"
        spellCheck={false}
      />
      <datalist id={listId}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}
