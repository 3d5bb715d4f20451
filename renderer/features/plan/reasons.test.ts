import { expect, test } from 'vitest';
import type { Reason } from '#shared/model/plan.ts';
import { reasonDetail, remediesOf } from './reasons.ts';

const reason = (id: Reason['id'], subject: string): Reason => ({ id, subject, sentence: 'said' });

test('reasonDetail() names the run that a reason is about, and nothing of judges', () => {
  expect([
    reasonDetail(reason('last-failed', '0mwive0xb-efvxam50zf')),
    reasonDetail(reason('cached', '0mwive0xb-efvxam50zf')),
    reasonDetail(reason('last-failed', 'clear, brief')),
    reasonDetail(reason('script-changed', 'a.py')),
  ]).toEqual(['Run 0mwive0xb-efvxam50zf', 'Run 0mwive0xb-efvxam50zf', undefined, undefined]);
});

test('remediesOf() leads to the models and to the inputs, each once, and nowhere else', () => {
  const done: string[] = [];
  const page = {
    studio: { showSettings: (settings: string) => void done.push(settings) },
    lensRun: { askForInputs: () => void done.push('inputs') },
  };
  const reasons = [
    ...[reason('needs-input', 'who'), reason('needs-input', 'what'), reason('needs-input', 'model')],
    ...[reason('problem', 'model'), reason('problem', 'files')],
  ];
  const remedies = remediesOf({ reasons }, page);
  remedies.forEach(({ apply }) => apply());
  expect(remedies.map(({ title }) => title)).toEqual(['Set up a model…', 'Give inputs…']);
  expect(done).toEqual(['models', 'inputs']);
  expect(remediesOf({ reasons: [reason('problem', 'files'), reason('forced', 'model')] }, page)).toEqual([]);
});
