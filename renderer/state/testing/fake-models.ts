import type { ModelDraft, ModelList, ModelSummary, ModelTest } from '#shared/model/models.ts';

type Call = <Input, Output>(
  name: string,
  answer: (input: Input) => Output,
) => (input: Input) => Promise<Output>;

/** The models of a fake engine. */
export class FakeModels {
  list: ModelList = { models: [], canKeepKeys: true, problems: [] };

  answers(call: Call): object {
    const change = (name: string, edit: (model: ModelSummary) => ModelSummary): ModelList =>
      (this.list = {
        ...this.list,
        models: this.list.models.map((model) => (model.name === name ? edit(model) : model)),
      });
    return {
      list: call('models.list', () => this.list),
      save: call('models.save', ({ draft, previous }: { draft: ModelDraft; previous?: string }) => {
        const others = this.list.models.filter(({ name }) => name !== previous);
        const { defaultModel: before = draft.name } = this.list;
        const defaultModel = before === previous ? draft.name : before;
        return (this.list = {
          ...this.list,
          models: [...others, { ...draft, key: 'missing' }],
          defaultModel,
        });
      }),
      remove: call('models.remove', ({ name }: { name: string }) => {
        return (this.list = {
          ...this.list,
          models: this.list.models.filter((model) => model.name !== name),
        });
      }),
      keepKey: call('models.keepKey', ({ name }: { name: string }) =>
        change(name, (model) => ({ ...model, key: 'keychain' })),
      ),
      test: call('models.test', ({ name }: { name: string }): ModelTest => {
        const usage = { inputTokens: 1, outputTokens: 1 };
        return { name, outcome: 'answered', message: 'It answered', durationMs: 1, usage };
      }),
    };
  }
}
