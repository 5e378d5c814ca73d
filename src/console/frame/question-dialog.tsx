import { useOpenQuestion } from '../client/questions.js';
import { Button } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';
import { say } from '../words/words.js';

/** Asks what has to be known before something goes on. */
export function QuestionDialog() {
  const question = useOpenQuestion();
  if (!question) return null;
  const { title, text, filling, yes, no } = question;
  const refuse = () => {
    question.answer(false);
  };
  return (
    <Dialog title={say(title, filling)} onClose={refuse}>
      <div class="stack">
        {text && <p>{say(text, filling)}</p>}
        <div class="form-foot">
          <Button look="main" onClick={refuse}>
            {say(no)}
          </Button>
          <Button
            look="danger"
            onClick={() => {
              question.answer(true);
            }}
          >
            {say(yes)}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
