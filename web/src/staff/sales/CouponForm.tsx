import { coupons } from '@dubplate/contract'
import { makeCoupons, saveCoupon } from '@dubplate/contract/schemas/coupons'
import {
  Button,
  Checkbox,
  Code,
  Group,
  Radio,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  type TextInputProps,
  Title,
} from '@mantine/core'
import { AmountInput } from '../../admin/AmountInput.tsx'
import { CodeInput, CurrencyInput, DateTimeInput } from '../../admin/formFields.tsx'
import { ResourceForm } from '../../admin/ResourceForm.tsx'
import { formatExactDate } from '../../format/format.ts'
import { formatList } from '../../format/formatList.ts'
import { format } from '../../format/message.ts'
import { zoneInWords } from '../../format/moments.ts'
import { callApi } from '../../platform/api.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { type ResourceFormState, useResourceForm } from '../../platform/useResourceForm.ts'
import { type CouponTerms, newTerms, termsInput, termsOf, validateTerms } from './couponTerms.ts'
import * as texts from './texts.ts'

type Plan = { plan_id: number; title: string; currency: string }

type CouponValues = CouponTerms & { code: string; version?: number }

const currencyOf = (plans: readonly Plan[]) => plans[0]?.currency ?? 'USD'

const valuesOf = (coupon: coupons.Coupon, plans: readonly Plan[]): CouponValues => ({
  ...termsOf(coupon, currencyOf(plans)),
  code: coupon.code,
  version: coupon.version,
})

/** The names of some plans; all of them if there are none. */
export const planNames = (plans: readonly Plan[], ids: readonly (string | number)[]): string =>
  formatList(plans.flatMap(({ plan_id, title }) => (ids.map(Number).includes(plan_id) ? [title] : []))) ||
  texts.allPlans

/** How the form shows someone else's terms. */
const describeTerms = (plans: readonly Plan[]) => {
  const timeText = (local: string) => (local ? formatExactDate(local) : '–')
  return {
    discount: (discount: CouponTerms['discount']) => (discount === 'amount' ? texts.fixedAmount : texts.percentage),
    starts_at: timeText,
    ends_at: timeText,
    plan_ids: (ids: string[]) => planNames(plans, ids),
  }
}

/** Loads a coupon that someone else has changed; undefined if it was deleted. */
async function loadCoupon({ coupon_id, code }: coupons.Coupon, plans: readonly Plan[]) {
  const found = await callApi(coupons.getCoupons, { search: code })
  const coupon = found.coupons.find((each) => each.coupon_id === coupon_id)
  return coupon && valuesOf(coupon, plans)
}

type CouponProps = {
  /** Undefined for a new one. */
  coupon: coupons.Coupon | undefined
  plans: readonly Plan[]
  onClose: () => void
}

/** Edits a coupon. Once it has been used, only its dates, its limit and its plans can be changed. */
export function CouponForm({ coupon, plans, onClose }: CouponProps) {
  const form = useResourceForm({
    call: saveCoupon,
    draftName: `coupon.${coupon?.coupon_id ?? 'new'}`,
    values: coupon ? valuesOf(coupon, plans) : { ...newTerms(currencyOf(plans)), code: '' },
    toInput: (values: CouponValues) => ({
      ...termsInput(values, coupon),
      code: values.code,
      ...(coupon && { coupon_id: coupon.coupon_id, version: values.version }),
    }),
    validate: validateTerms,
    loadCurrent: coupon && (() => loadCoupon(coupon, plans)),
    describe: describeTerms(plans),
    invalidates: [coupons.getCoupons],
    success: ({ coupon: { code, description } }) => ({ message: format(texts.couponSaved, { code, description }) }),
    onSaved: onClose,
  })
  const generate = useApiMutation(coupons.makeCode, { errorTitle: texts.couldntGenerateACode })
  const title = coupon ? texts.editCoupon : texts.newCoupon
  return (
    <ResourceForm form={form} label={title} onClose={onClose}>
      <Title order={2}>{title}</Title>
      {coupon && coupon.uses > 0 ? (
        <Text c="var(--text-2)">
          <Code>{coupon.code}</Code> {format(texts.thisCouponHasBeenUsed, { description: coupon.description })}
        </Text>
      ) : (
        <>
          <CodeInput
            label={texts.code}
            maxLength={40}
            data-autofocus
            rightSectionWidth={100}
            rightSection={
              <Button
                size="compact-sm"
                variant="default"
                loading={generate.isPending}
                onClick={() => generate.mutate({}, { onSuccess: ({ code }) => form.setValues({ code }) })}
              >
                {texts.generate}
              </Button>
            }
            {...form.field('code')}
          />
          <DiscountFields form={form} />
        </>
      )}
      <LimitFields form={form} plans={plans} />
    </ResourceForm>
  )
}

type PromotionProps = { plans: readonly Plan[]; onClose: () => void }

/** Creates many codes with the same terms. */
export function PromotionForm({ plans, onClose }: PromotionProps) {
  const form = useResourceForm({
    call: makeCoupons,
    draftName: 'promotion.new',
    values: { ...newTerms(currencyOf(plans)), title: '', count: '50', prefix: '', max_uses: '1' },
    toInput: ({ title, count, prefix, ...terms }) => ({ title, count, prefix, ...termsInput(terms) }),
    validate: validateTerms,
    invalidates: [coupons.getCoupons],
    success: ({ promotion: { codes, title } }) => ({ message: format(texts.codesGeneratedFor, { codes, title }) }),
    onSaved: onClose,
  })
  return (
    <ResourceForm form={form} label={texts.newPromotion} saveLabel={texts.generateCodes} onClose={onClose}>
      <div>
        <Title order={2}>{texts.newPromotion}</Title>
        <Text c="var(--text-2)">{texts.generateSingleUseCodesWith}</Text>
      </div>
      <TextInput
        label={texts.name}
        maxLength={80}
        data-autofocus
        autoComplete="off"
        {...form.field('title', texts.onlyStaffCanSeeThis)}
      />
      <SimpleGrid cols={2} spacing="md">
        <CountInput
          label={texts.numberOfCodes}
          {...form.field('count', format(texts.upToCodes, { MOST_CODES: coupons.MAX_CODES }))}
        />
        <CodeInput label={texts.prefix} maxLength={20} {...form.field('prefix', texts.sunGivesCodesLikeSun)} />
      </SimpleGrid>
      <DiscountFields form={form} />
      <LimitFields form={form} plans={plans} />
    </ResourceForm>
  )
}

const CountInput = (props: TextInputProps) => (
  <TextInput inputMode="numeric" autoComplete="off" maxLength={7} {...props} />
)

/** The part of a form that its fields need. */
type TermsForm = { values: CouponTerms; field: ResourceFormState<CouponTerms>['field'] }

/** The discount, and the number of payments it applies to. */
const DiscountFields = ({ form: { values, field } }: { form: TermsForm }) => (
  <>
    <Radio.Group label={texts.discountType} {...field('discount')}>
      <Group gap="lg" mt="xs">
        <Radio value="percent" label={texts.percentage} />
        <Radio value="amount" label={texts.fixedAmount} />
      </Group>
    </Radio.Group>
    <SimpleGrid cols={2} spacing="md" verticalSpacing="lg">
      {values.discount === 'percent' ? (
        <CountInput label={texts.percentOff} {...field('percent')} />
      ) : (
        <>
          <AmountInput label={texts.amountOff} {...field('amount')} />
          <CurrencyInput {...field('currency')} />
        </>
      )}
      <CountInput label={texts.numberOfPayments} {...field('payments', texts.howManyPaymentsAreDiscounted)} />
    </SimpleGrid>
  </>
)

/** How often, when and for which plans a code can be used. */
const LimitFields = ({ form: { field }, plans }: { form: TermsForm; plans: readonly Plan[] }) => (
  <>
    <CountInput label={texts.maximumUses} {...field('max_uses', texts.leaveEmptyForUnlimitedOne)} />
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="lg">
      <DateTimeInput label={texts.starts} {...field('starts_at')} />
      <DateTimeInput label={texts.ends} {...field('ends_at')} />
    </SimpleGrid>
    <Text fz="sm" c="var(--text-2)">
      {format(texts.timesAreInYourTime, { time_zone: zoneInWords() })}
    </Text>
    <Checkbox.Group label={texts.appliesToPlansNoneSelected} {...field('plan_ids')}>
      <Stack gap="sm" mt="xs">
        {plans.map(({ plan_id, title }) => (
          <Checkbox key={plan_id} value={String(plan_id)} label={title} />
        ))}
      </Stack>
    </Checkbox.Group>
  </>
)
