import { type InputOf, type settings, site } from '@dubplate/contract'
import { getSettings, saveSettings } from '@dubplate/contract/schemas/settings'
import { useMutation } from '@tanstack/react-query'
import { callApi } from '../../platform/api.ts'
import { apiQuery, queryClient } from '../../platform/queries.ts'
import { refreshReplies } from '../../platform/useApiMutation.ts'
import { useResourceForm } from '../../platform/useResourceForm.ts'
import { toast, toastError } from '../../ui/toast.ts'
import * as texts from './texts.ts'

export type Everything = settings.Everything
type SettingsInput = InputOf<typeof saveSettings>
export type GroupName = SettingsInput['group']
type Stored<G extends GroupName> = Extract<SettingsInput, { group: G }>['values']

/** Shows saved settings, and applies name, logo, colours and hidden sections to this page. */
export async function applySettings(all: Everything): Promise<void> {
  queryClient.setQueryData(apiQuery(getSettings, {}).queryKey, all)
  const pool = await queryClient.fetchQuery({ ...apiQuery(site.getPool, {}), staleTime: 0 }).catch(() => undefined)
  if (pool) applyTheme(pool.theme)
  await queryClient.invalidateQueries({ queryKey: [site.getProducts.path] })
}

/** Applies the pool's colours, or removes them. Pages opened later have them from the start. */
function applyTheme(theme: string | null) {
  const applied = document.querySelector<HTMLLinkElement>('link#theme')
  if (!theme) return applied?.remove()
  const link = applied ?? Object.assign(document.createElement('link'), { rel: 'stylesheet', id: 'theme' })
  link.href = theme
  if (!applied) document.body.append(link)
}

type Options<G extends GroupName, Values extends object> = {
  group: G
  valuesOf: (all: Everything) => Values
  toStored: (values: Values) => Stored<G>
  /** Errors that the contract's schema cannot find, by field. */
  validate?: (values: Values) => Partial<Record<keyof Values & string, string>>
}

/** A group of settings, which is saved on its own: its form, and how to reset it to the environment's values. */
export function useSettingsGroup<G extends GroupName, Values extends object>(
  all: Everything,
  { group, valuesOf, toStored, validate }: Options<G, Values>,
) {
  const versioned = (all: Everything) => ({ ...valuesOf(all), version: all.groups[group].version })
  const success = () => ({ message: texts.settingsSaved })
  const form = useResourceForm({
    call: saveSettings,
    draftName: `settings.${group}`,
    values: versioned(all),
    toInput: ({ version, ...values }) =>
      ({ group, version, values: toStored(values as unknown as Values) }) as SettingsInput,
    // 'values.mail_from.name' is the field 'name'.
    fieldNames: (path) => path.split('.').at(-1) ?? path,
    ...(validate && { validate: validate as never }),
    loadCurrent: async () => versioned(await callApi(getSettings, {})),
    success,
    save: async (send, setValues) => {
      const saved = await send()
      setValues(versioned(saved))
      await applySettings(saved)
    },
  })
  const reset = useMutation({
    mutationFn: async () =>
      applySettings(
        await callApi(saveSettings, { group, version: all.groups[group].version, values: {} } as SettingsInput),
      ),
    networkMode: 'always',
    onSuccess: () => void toast(success()),
    onError: (error) => {
      void toastError(texts.couldntReset, error)
      void refreshReplies([getSettings])
    },
  })
  return {
    form,
    isResetting: reset.isPending,
    reset: () => reset.mutate(),
  }
}
