import { site } from '@dubplate/contract'
import { Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { format } from '../format/message.ts'
import { InlineError } from '../platform/InlineError.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { SiteText } from '../platform/SiteText.tsx'
import button from '../ui/Button.module.css'
import { SectionHead } from '../ui/SectionHead.tsx'
import { applicationLink } from './applicationLink.ts'
import { SitePage } from './SitePage.tsx'
import css from './SitePages.module.css'
import * as texts from './texts.ts'

/** The jobs page: a text by staff, and the open positions. */
export function Careers() {
  const { data, error, refetch } = useApiQuery(site.getOpenings, {})
  if (error && !data)
    return (
      <SitePage slug="careers">
        <InlineError alert error={error} title={texts.couldntLoadOpenPositionsInline} retry={() => void refetch()} />
      </SitePage>
    )
  if (!data?.openings.length) return <SitePage slug="careers" isWaiting={!data} />
  return (
    <SitePage slug="careers">
      <section>
        <SectionHead title={texts.openPositions} />
        <Stack component="ul" gap="lg">
          {data.openings.map((opening) => (
            <Opening key={opening.job_opening_id} opening={opening} />
          ))}
        </Stack>
      </section>
    </SitePage>
  )
}

function Opening({ opening }: { opening: site.Opening }) {
  const { title, place, hours, html } = opening
  const details = [place, hours].filter(Boolean).join(' · ')
  return (
    <Stack component="li" gap="sm" p="lg" className={css.opening}>
      <Text component="h3" fz="lg" fw={650} lh={1.4}>
        {title}
      </Text>
      {details && (
        <Text fz="sm" lh={1.4} c="var(--text-2)">
          {details}
        </Text>
      )}
      <SiteText html={html} />
      <div>
        <Apply opening={opening} />
      </div>
    </Stack>
  )
}

/** By email, on another site or, without a link, by the pool's usual contact. */
function Apply({ opening: { title, apply_at } }: { opening: site.Opening }) {
  const link = applicationLink(apply_at, title)
  if (link.by === 'contact')
    return (
      <Link to="/contact" className={button.button} aria-label={format(texts.applyFor, { title })}>
        {texts.apply}
      </Link>
    )
  const newTabProps = link.by === 'web' ? { target: '_blank', rel: 'noopener noreferrer' } : {}
  return (
    <a href={link.href} {...newTabProps} className={button.button} aria-label={link.label} title={link.tooltip}>
      {texts.apply}
    </a>
  )
}
