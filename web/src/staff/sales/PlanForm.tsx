import { type billing, decimalsOf, type Endpoint, plans } from '@dubplate/contract'
import { savePlan } from '@dubplate/contract/schemas/plans'
import { Checkbox, NativeSelect, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { AmountInput } from '../../admin/AmountInput.tsx'
import { wholeAmount } from '../../admin/amountMask.ts'
import { CurrencyInput, RichTextInput } from '../../admin/formFields.tsx'
import { ResourceForm } from '../../admin/ResourceForm.tsx'
import { isAboveZero, toMinorUnits } from '../../billing/money.ts'
import { PlanSummary } from '../../billing/PlanSummary.tsx'
import { format } from '../../format/message.ts'
import { callApi } from '../../platform/api.ts'
import { type ResourceFormState, useResourceForm } from '../../platform/useResourceForm.ts'
import { wordsOf } from '../support/savedReplies.ts'
import { describeOtherPrices } from './subscriptionTexts.ts'
import * as texts from './texts.ts'

type Plan = plans.StaffPlan

type NumberField = 'monthly_downloads' | 'version_downloads' | 'head_start_hours'

/** What is edited of a plan. An empty `trial_price` is the normal price; an empty limit is none. */
type PlanValues = Omit<
  Plan,
  'plan_id' | 'subscribers' | 'agreed' | 'monthly' | 'can_remove' | 'version' | NumberField
> & {
  [name in NumberField]: string
} & {
  /** Missing for a new plan. */
  version?: number
}

const newPlan = (currency: string): PlanValues => ({
  ...{ title: '', description: '', features: '', price: '', trial_price: '', currency, interval: 'month' },
  ...{ is_premium: false, is_published: true, has_crate_bundles: true, has_top20_packs: true },
  ...{ monthly_downloads: '', version_downloads: '', head_start_hours: '0' },
})

function valuesOf({ plan_id, subscribers, agreed, monthly, can_remove, ...plan }: Plan): PlanValues {
  return {
    ...plan,
    trial_price: isAboveZero(plan.trial_price) ? plan.trial_price : '',
    monthly_downloads: String(plan.monthly_downloads ?? ''),
    version_downloads: String(plan.version_downloads ?? ''),
    head_start_hours: String(plan.head_start_hours),
  }
}

/** Loads a plan that someone else has changed; undefined if it was deleted. */
async function loadPlan(planId: number) {
  const reply = await callApi(plans.getPlans, {})
  const plan = reply.plans.find(({ plan_id }) => plan_id === planId)
  return plan && valuesOf(plan)
}

/** The prices as the API takes them, also before the fields have completed them. */
const pricesOf = ({ price, trial_price }: PlanValues) => ({
  price: wholeAmount(price),
  trial_price: wholeAmount(trial_price) || '0.00',
})

/** The limits as the API takes them. */
const limitsOf = ({ monthly_downloads, version_downloads, head_start_hours }: PlanValues) => ({
  monthly_downloads: monthly_downloads.trim() || null,
  version_downloads: version_downloads.trim() || null,
  head_start_hours: head_start_hours.trim() || '0',
})

function validate(values: PlanValues) {
  const { price, trial_price } = pricesOf(values)
  const isDearTrial = price && toMinorUnits(trial_price) >= toMinorUnits(price)
  return {
    ...(isAboveZero(price || '0') ? {} : { price: texts.enterAPriceAboveZero }),
    ...(isDearTrial && isAboveZero(price) ? { trial_price: texts.theFirstPeriodPriceMust } : {}),
    ...(decimalsOf(values.currency) === 2 ? {} : { currency: texts.enterAThreeLetterCurrency }),
  }
}

const INTERVALS = [
  { value: 'month', label: texts.perMonth },
  { value: 'year', label: texts.perYear },
]

type Props = {
  /** Undefined for a new one. */
  plan: Plan | undefined
  /** The currency of a new plan. */
  currency: string
  /** The pool's downloads per version. */
  downloadLimit: number
  invalidates: readonly Endpoint[]
  onClose: () => void
}

/** Edits a plan, with a preview of what members will see. */
export function PlanForm({ plan, currency, downloadLimit, invalidates, onClose }: Props) {
  const form = useResourceForm({
    call: savePlan,
    draftName: `plan.${plan?.plan_id ?? 'new'}`,
    values: plan ? valuesOf(plan) : newPlan(currency),
    toInput: (values) => ({
      ...values,
      ...pricesOf(values),
      ...limitsOf(values),
      ...(plan && { plan_id: plan.plan_id }),
    }),
    validate,
    loadCurrent: plan && (() => loadPlan(plan.plan_id)),
    describe: {
      features: wordsOf,
      interval: (interval) => (interval === 'year' ? texts.perYear : texts.perMonth),
    },
    invalidates,
    onSaved: onClose,
  })
  const { values } = form
  const title = plan ? texts.editPlan : texts.newPlan
  return (
    <ResourceForm form={form} label={title} onClose={onClose}>
      <Title order={2}>{title}</Title>
      <TextInput label={texts.name} maxLength={80} data-autofocus autoComplete="off" {...form.field('title')} />
      <TextInput
        label={texts.description}
        maxLength={500}
        autoComplete="off"
        {...form.field('description', texts.oneOrTwoSentences)}
      />
      <RichTextInput label={texts.moreFeatures} {...form.field('features', texts.moreFeaturesHint)} />
      <SimpleGrid cols={2} spacing="md" verticalSpacing="lg">
        <AmountInput label={texts.price} {...form.field('price')} />
        <CurrencyInput {...form.field('currency')} />
        <NativeSelect label={texts.billingPeriod} data={INTERVALS} {...form.field('interval')} />
        <AmountInput
          label={values.interval === 'year' ? texts.firstYearPrice : texts.firstMonthPrice}
          {...form.field('trial_price', texts.forFirstTimeCustomersLeave)}
        />
      </SimpleGrid>
      <FeatureFields form={form} downloadLimit={downloadLimit} />
      <Checkbox label={texts.premium} {...form.checkbox('is_premium')} />
      <Checkbox label={texts.published} {...form.checkbox('is_published')} />
      {plan && plan.subscribers > 0 && <PriceNotice plan={plan} values={values} />}
      <Preview plan={planOnSale(values, plan?.plan_id ?? 0, downloadLimit)} isPublished={values.is_published} />
    </ResourceForm>
  )
}

type FeatureFieldsProps = { form: Pick<ResourceFormState<PlanValues>, 'field' | 'checkbox'>; downloadLimit: number }

/** What members of the plan can do. */
function FeatureFields({ form, downloadLimit }: FeatureFieldsProps) {
  const number = { inputMode: 'numeric', autoComplete: 'off', maxLength: 6 } as const
  return (
    <Stack component="fieldset" gap="lg" m={0} p={0} bd={0} miw={0}>
      <Text component="legend" fz="md" fw={640} pb="sm">
        {texts.features}
      </Text>
      <SimpleGrid cols={2} spacing="md" verticalSpacing="lg">
        <TextInput
          label={texts.downloadsPerMonth}
          {...number}
          {...form.field('monthly_downloads', texts.downloadsPerMonthHint)}
        />
        <TextInput
          label={texts.downloadsPerVersion}
          {...number}
          {...form.field('version_downloads', format(texts.downloadsPerVersionHint, { count: downloadLimit }))}
        />
      </SimpleGrid>
      <Checkbox label={texts.crateAndListsAsAZip} {...form.checkbox('has_crate_bundles')} />
      <Checkbox label={texts.top20sAsAZip} {...form.checkbox('has_top20_packs')} />
      <TextInput label={texts.headStartHours} {...number} {...form.field('head_start_hours', texts.headStartHint)} />
    </Stack>
  )
}

/** Which subscribers a change affects. */
function PriceNotice({ plan, values }: { plan: Plan; values: PlanValues }) {
  const isRepriced =
    pricesOf(values).price !== plan.price || values.currency !== plan.currency || values.interval !== plan.interval
  return (
    <Text role="status" fz="md" c={isRepriced ? 'var(--warn)' : 'var(--text-2)'}>
      {describeOtherPrices(plan)} {isRepriced ? texts.theNewPriceAppliesTo : texts.priceChangesOnlyAffectNew}
    </Text>
  )
}

/** The plan as members would see it, before it is saved. */
const toCount = (value: string): number | null => (/^\d+$/.test(value.trim()) ? Number(value) : null)

function planOnSale(values: PlanValues, planId: number, downloadLimit: number): billing.Plan {
  const { version, is_published, ...plan } = values
  const { price, trial_price } = pricesOf(values)
  const isPremium = values.is_premium ? 'yes' : 'no'
  return {
    ...plan,
    ...{ id: planId, subscription_type_id: 1, is_premimum: isPremium, is_premium: isPremium },
    ...{ title: values.title.trim() || texts.untitled, description: values.description.trim() },
    ...{ price: price || '0.00', trial_price },
    monthly_downloads: toCount(values.monthly_downloads),
    version_downloads: toCount(values.version_downloads) ?? downloadLimit,
    head_start_hours: toCount(values.head_start_hours) ?? 0,
    currency: /^[A-Z]{3}$/.test(values.currency) ? values.currency : 'USD',
  }
}

const Preview = ({ plan, isPublished }: { plan: billing.Plan; isPublished: boolean }) => (
  <Stack component="section" gap="xs" aria-label={texts.preview}>
    <Text fz="sm" fw={560} c="var(--text-2)">
      {texts.preview}
    </Text>
    <PlanSummary plan={plan} hasTrial>
      <Text fz="md" c="var(--text-2)">
        {isPublished ? texts.publishedMembersCanBuyThis : texts.unpublishedMembersCantSeeThis}
      </Text>
    </PlanSummary>
  </Stack>
)
