import { Stack } from '@mantine/core'
import {
  createContext,
  use,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type SubmitEvent,
} from 'react'
import { toApiError } from '../../api/api-error.ts'
import { ErrorBox } from '../feedback/error-box.tsx'
import type { Action } from './use-action.ts'

type FieldErrors = Record<string, string>

const FieldErrorsContext = createContext<FieldErrors>({})

export function useFieldError(name: string): string | undefined {
  return use(FieldErrorsContext)[name]
}

interface FormProps {
  action: Action<[FormData]>
  children: ReactNode
}

/** Validates with the browser's constraint validation, but shows each error permanently at its field. */
export function Form({ action, children }: FormProps) {
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
