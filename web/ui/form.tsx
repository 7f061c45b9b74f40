import { Stack } from '@mantine/core'
import {
  createContext,
  use,
  useEffect,
  useRef,
  useState,
  type ReactNode,
  type SubmitEvent,
} from 'react'
import { toApiError } from '../api-error.ts'
import { ErrorBox } from './error-box.tsx'
import type { Action } from './use-action.ts'

type Problems = Record<string, string>

const ProblemsContext = createContext<Problems>({})

export function useFieldProblem(name: string): string | undefined {
  return use(ProblemsContext)[name]
}

interface FormProps {
  action: Action<[FormData]>
  children: ReactNode
}

/** Checks with the browser's own rules but shows the result beside the fields, where it stays. */
export function Form({ action, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [unmet, setUnmet] = useState<Problems>({})
  const answered = action.error ? problemsOf(action.error) : {}

  useEffect(() => {
    if (action.error) focusFirst(form.current, Object.keys(problemsOf(action.error)))
  }, [action.error])

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    // A dialog's form is a child of the page's in React's tree, not in the document's.
    event.stopPropagation()
    const problems = findUnmet(event.currentTarget)
    setUnmet(problems)
    const names = Object.keys(problems)
    if (names.length > 0) focusFirst(event.currentTarget, names)
    else void action.run(new FormData(event.currentTarget))
  }

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <ProblemsContext value={{ ...answered, ...unmet }}>
        <Stack gap="md">
          {children}
          {action.error ? (
            <ErrorBox error={action.error} shownFields={fieldNames(form.current)} />
          ) : null}
        </Stack>
      </ProblemsContext>
    </form>
  )
}

export function readText(values: FormData, name: string): string {
  const value = values.get(name)
  return typeof value === 'string' ? value : ''
}

function problemsOf(error: unknown): Problems {
  return Object.fromEntries(toApiError(error).details.map(({ path, message }) => [path, message]))
}

function namedFields(form: HTMLFormElement | null): HTMLInputElement[] {
  return [...(form?.querySelectorAll<HTMLInputElement>('input[name]') ?? [])]
}

function fieldNames(form: HTMLFormElement | null): string[] {
  return namedFields(form).map(({ name }) => name)
}

function findUnmet(form: HTMLFormElement): Problems {
  const invalid = namedFields(form).filter((field) => !field.validity.valid)
  return Object.fromEntries(invalid.map((field) => [field.name, field.validationMessage]))
}

function focusFirst(form: HTMLFormElement | null, names: string[]): void {
  const field = namedFields(form).find(({ name }) => names.includes(name))
  const target = field ?? form?.querySelector<HTMLElement>('[role="alert"]')
  target?.focus()
}
