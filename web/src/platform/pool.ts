import { type cloud, type settings, site } from '@dubplate/contract'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from './queries.ts'

type Pool = {
  name: string
  logo: string | null
  hidden: readonly settings.Section[]
  upload_days: number
  /** The cloud storage that the operator has set up. */
  cloud_providers: readonly cloud.CloudProviderName[]
}

const DEFAULT_POOL: Pool = { name: 'Dubplate', logo: null, hidden: [], upload_days: 90, cloud_providers: [] }

/** What the server wrote into the page, so that the first render is correct; null during development. */
const embeddedPool = JSON.parse(document.getElementById('pool')?.textContent ?? 'null') as Pool | null

/** The pool's name, logo and hidden sections: as embedded in the page, or as updated since. */
export const usePool = (): Pool =>
  useQuery({ ...apiQuery(site.getPool, {}), enabled: embeddedPool === null }).data ?? embeddedPool ?? DEFAULT_POOL

/** The optional sections of the site, by the prefix of their paths. */
const SECTIONS: Record<string, settings.Section> = {
  charts: 'charts',
  newRelease: 'new_releases',
  spotlight: 'spotlights',
  top20: 'top20',
  career: 'careers',
  uploads: 'uploads',
}

/** Whether a section, or the section of a path, is visible. */
export function useIsSectionVisible(): (sectionOrPath: string | undefined) => boolean {
  const { hidden } = usePool()
  return (sectionOrPath = '') => {
    const section = sectionOrPath.startsWith('/') ? SECTIONS[sectionOrPath.split('/')[1] ?? ''] : sectionOrPath
    return !hidden.some((one) => one === section)
  }
}
