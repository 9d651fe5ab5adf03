import { dashboard } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { newestBackup } from '../backups/backup-record.ts'
import { getPageStates } from '../site/pages.ts'

/** The name of a pool before staff set one. */
const DEFAULT_POOL_NAME = 'Dubplate'

type StepState = { step: dashboard.SetupStep; is_done: boolean }

/** Returns what a pool needs before members arrive; empty once everything is done. */
export async function listSetupSteps({ sql, settings, config, now }: AppContext): Promise<StepState[]> {
  const [[existing], backup, pages] = await Promise.all([
    // Songs of the demo have a recipe, or were uploaded by a member of the demo; its pages have never been changed.
    sql<{ plans: boolean; music: boolean; demo_terms: boolean }[]>`
      select exists (select 1 from plan where is_published) as plans,
        exists (
          select 1 from song s join song_version v using (entity_id)
          where s.status = 'published' and v.recipe is null and not exists (
            select 1 from upload_song u join customer c using (customer_id) where u.entity_id = s.entity_id and c.demo)
        ) as music,
        exists (
          select 1 from page p join customer c on c.customer_id = p.updated_by
          where p.slug = 'terms' and p.version = 1 and c.demo
        ) as demo_terms`,
    newestBackup(sql, { days: config.backupDays, now: now() }),
    getPageStates(sql),
  ])
  const isDone: Record<dashboard.SetupStep, boolean> = {
    mail: config.smtpUrl !== undefined,
    payments: config.payments.gateways.some((gateway) => gateway !== 'sandbox'),
    plans: existing?.plans ?? false,
    backup: backup.taken_at !== null,
    music: existing?.music ?? false,
    name: settings.poolName !== DEFAULT_POOL_NAME || settings.logo !== null,
    terms: pages.some(({ slug, state }) => slug === 'terms' && state === 'written') && !existing?.demo_terms,
  }
  const steps = dashboard.SETUP_STEPS.map((step) => ({ step, is_done: isDone[step] }))
  return steps.some(({ is_done }) => !is_done) ? steps : []
}
