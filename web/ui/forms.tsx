import { useDebouncedCallback } from '@mantine/hooks'
import { Stack, Group, Button, type ButtonProps } from '@mantine/core'
import {
  type ReactNode,
  useRef,
  useState,
  useMemo,
  useEffect,
  createContext,
  use,
  type SubmitEvent,
} from 'react'
import { toApiError } from '../api/api-error.ts'
import { ErrorBox, StatusMessage } from './feedback/feedback.tsx'
import { createLatestQueue } from './forms/latest-queue.ts'
import type { ApiClient } from '../api/client.ts'
import { type DataName, useApi, useReload } from '../api/use-api.tsx'

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

/**
 * Like `useAction`, for a request that changes something: passes the API, and reloads the changed data before
 * `onDone`.
 */
export function useRequest<Input extends unknown[], Answer>(
  work: (api: ApiClient, ...input: Input) => Promise<Answer>,
  reloads: readonly DataName[] = [],
  onDone?: (answer: Answer) => void,
): Action<Input> {
  const api = useApi()
  const reload = useReload(...reloads)
  return useAction(async (...input: Input) => {
    const answer = await work(api, ...input)
    await reload()
    onDone?.(answer)
  })
}

type ActionButtonProps = Omit<ButtonProps, 'loading'> & {
  action: Action<[]>
  'aria-label'?: string
  autoFocus?: boolean
  children: ReactNode
}

/** A button that runs an action. */
export function ActionButton({ action, ...button }: ActionButtonProps) {
  return <Button {...button} loading={action.isRunning} onClick={() => void action.run()} />
}

/** A button that runs an action, with the error below it. */
export function ActionButtonWithError(props: ActionButtonProps) {
  return (
    <Stack gap="xs">
      <ActionButton {...props} />
      <ErrorBox error={props.action.error} />
    </Stack>
  )
}

interface SettingsFormProps {
  submitLabel: string
  save: (api: ApiClient, values: FormData) => Promise<unknown>
  reloads?: readonly DataName[]
  savedText?: string
  children: ReactNode
}

/** A form that stays open after saving, and then says so. */
export function SettingsForm(props: SettingsFormProps) {
  const { submitLabel, save, reloads, savedText = 'Saved.', children } = props
  const [isSaved, setSaved] = useState(false)
  const start: typeof save = (api, values) => {
    setSaved(false)
    return save(api, values)
  }
  const action = useRequest(start, reloads, () => setSaved(true))
  return (
    <Form action={action}>
      {children}
      <Button type="submit" loading={action.isRunning} style={{ alignSelf: 'flex-start' }}>
        {submitLabel}
      </Button>
      <StatusMessage>{isSaved && savedText}</StatusMessage>
    </Form>
  )
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
