// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TokenBoost} from "../TokenBoost.sol";
import {PlainToken} from "./Tokens.t.sol";
import {vm} from "./Vm.t.sol";

/**
 * @dev What anybody may do to the contract, in any order and at any time, with sums of what went in and out.
 * Every call does something that is allowed, or nothing: a revert fails the run. What empties a queue of payments is rare, and time
 * goes in small steps, so that queues grow long before something happens to them.
 */
contract Handler {
    address public constant OWNER = address(0x0123);
    TokenBoost public boost;
    address[3] public tokens;
    address[3] public paymentTokens;
    address[4] public payers = [address(0xA11CE), address(0xB0B), address(0xCA401), address(0xDA7E)];

    /// @dev Kept here: what a call does to the clock is forgotten by the next one.
    uint256 public time = 1_800_000_000;
    mapping(address => uint256) public paid;
    mapping(address => mapping(address => uint256)) public paidBy;
    mapping(address => mapping(address => uint256)) public claimedBy;
    mapping(address => uint256) public claimed;
    mapping(address => uint256) public withdrawn;
    mapping(address => uint256) public stray;
    /// @dev Set for ever by the first call that does what no call may.
    bool public shrank;
    bool public ranInAPause;
    bool public sweptOwed;
    /// @dev How many calls of each kind did something.
    mapping(string => uint256) public done;
    /// @dev The most payments of one token that were unfinished at once; the most that a removal and a payer's own end have refunded.
    uint256 public deepest;
    uint256 public mostRemoved;
    uint256 public mostEndedByPayer;

    constructor(TokenBoost boost_, address[3] memory paymentTokens_) {
        boost = boost_;
        paymentTokens = paymentTokens_;
        for (uint256 i = 0; i < 3; ++i) tokens[i] = address(new PlainToken(18));
        for (uint256 i = 0; i < 12; ++i) {
            vm.prank(payers[i % 4]);
            PlainToken(paymentTokens[i % 3]).approve(address(boost_), type(uint256).max);
        }
    }

    modifier atItsTime() {
        vm.warp(time);
        _;
    }

    modifier withoutRemoval() {
        uint256[3] memory before = expirations();
        _;
        uint256[3] memory later = expirations();
        for (uint256 i = 0; i < 3; ++i) if (later[i] < before[i]) shrank = true;
    }

    function expirations() public view returns (uint256[3] memory all) {
        for (uint256 i = 0; i < 3; ++i) all[i] = boost.boostExpiration(tokens[i]);
    }

    /// @dev Mostly less than any boost lasts. In a pause, in which nothing ends, up to days.
    function pass(uint256 seconds_, uint256 rarely) external atItsTime withoutRemoval {
        uint256[3] memory before;
        for (uint256 i = 0; i < 3; ++i) before[i] = boost.remainingTime(tokens[i]);
        time += seconds_ % (boost.paused() ? 5 days : rarely % 8 == 0 ? 1 days : 2 hours);
        vm.warp(time);
        for (uint256 i = 0; i < 3; ++i) {
            if (boost.paused() && boost.remainingTime(tokens[i]) != before[i]) ranInAPause = true;
        }
    }

    /// @dev One to eight payments of one token, each by the next payer and in the next payment token.
    function pay(uint256 payer_, uint256 token_, uint256 paymentToken_, uint256 times) external atItsTime withoutRemoval {
        if (boost.paused()) return;
        for (uint256 i = 0; i <= times % 8; ++i) {
            payOnce(payers[(payer_ % 4 + i) % 4], tokens[token_ % 3], paymentTokens[(paymentToken_ % 3 + i) % 3]);
        }
    }

    function payOnce(address payer, address token, address paymentToken) private {
        if (unfinished(token) == 100 || !boost.isPaymentTokenAllowed(paymentToken)) return;
        uint256 amount = boost.paymentAmount(paymentToken);
        PlainToken(paymentToken).mint(payer, amount);
        vm.prank(payer);
        boost.boostToken(token, paymentToken);
        paid[paymentToken] += amount;
        paidBy[payer][paymentToken] += amount;
        deepest = max(deepest, unfinished(token));
        ++done["pay"];
    }

    /// @dev How many payments a call for this token would go through now.
    function unfinished(address token) private view returns (uint256) {
        (TokenBoost.Payment[] memory payments, uint256 settled) = boost.paymentsOf(token);
        return payments.length - settled;
    }

    function max(uint256 a, uint256 b) private pure returns (uint256) {
        return a > b ? a : b;
    }

    function claim(uint256 payer_, uint256 paymentToken_) external atItsTime withoutRemoval {
        address payer = payers[payer_ % 4];
        address paymentToken = paymentTokens[paymentToken_ % 3];
        if (boost.refundOf(payer, paymentToken) == 0) return;
        uint256 before = PlainToken(paymentToken).balanceOf(payer);
        vm.prank(payer);
        boost.claimRefund(paymentToken);
        uint256 got = PlainToken(paymentToken).balanceOf(payer) - before;
        claimed[paymentToken] += got;
        claimedBy[payer][paymentToken] += got;
        ++done["claim"];
    }

    function refundAfterLongPause(uint256 payer_, uint256 token_) external atItsTime {
        uint256 count = unfinished(tokens[token_ % 3]);
        vm.prank(payers[payer_ % 4]);
        try boost.refundAfterLongPause(tokens[token_ % 3]) {
            mostEndedByPayer = max(mostEndedByPayer, count);
            ++done["refundAfterLongPause"];
        } catch {}
    }

    function remove(uint256 token_, uint256 rarely) external atItsTime {
        if (rarely % 8 != 0) return;
        uint256 count = unfinished(tokens[token_ % 3]);
        vm.prank(OWNER);
        try boost.emergencyRemoveBoost(tokens[token_ % 3]) {
            mostRemoved = max(mostRemoved, count);
            ++done["remove"];
        } catch {}
    }

    function withdraw(uint256 token_, uint256 paymentToken_) external atItsTime withoutRemoval {
        address paymentToken = paymentTokens[paymentToken_ % 3];
        address[] memory some = new address[](1);
        some[0] = tokens[token_ % 3];
        uint256 before = PlainToken(paymentToken).balanceOf(OWNER);
        vm.prank(OWNER);
        try boost.withdrawFees(paymentToken, some) {
            withdrawn[paymentToken] += PlainToken(paymentToken).balanceOf(OWNER) - before;
            ++done["withdraw"];
        } catch {}
    }

    function lose(uint256 paymentToken_, uint256 amount) external atItsTime withoutRemoval {
        address paymentToken = paymentTokens[paymentToken_ % 3];
        amount %= 1e24;
        PlainToken(paymentToken).mint(address(boost), amount);
        stray[paymentToken] += amount;
    }

    function sweep(uint256 paymentToken_) external atItsTime withoutRemoval {
        address paymentToken = paymentTokens[paymentToken_ % 3];
        if (stray[paymentToken] == 0) return;
        uint256 before = PlainToken(paymentToken).balanceOf(OWNER);
        vm.prank(OWNER);
        boost.sweep(paymentToken);
        if (PlainToken(paymentToken).balanceOf(OWNER) - before != stray[paymentToken]) sweptOwed = true;
        stray[paymentToken] = 0;
        ++done["sweep"];
    }

    /// @dev Mostly short boosts, so that many begin and end in one walk.
    function announce(uint256 price, uint256 duration, uint256 rarely) external atItsTime withoutRemoval {
        uint256 most = rarely % 8 == 0 ? 30 days : 1 days;
        vm.prank(OWNER);
        boost.announceTerms(1 + price % 100_000e6, 1 hours + duration % (most - 1 hours + 1));
    }

    function setPaymentToken(uint256 paymentToken_, uint256 rarely) external atItsTime withoutRemoval {
        vm.prank(OWNER);
        boost.setPaymentToken(paymentTokens[paymentToken_ % 3], rarely % 8 != 0);
    }

    function pauseOrGoOn(uint256 rarely) external atItsTime withoutRemoval {
        bool paused = boost.paused();
        // Pauses are few, and long enough for some days to pass in them.
        if (rarely % (paused ? 3 : 8) != 0) return;
        vm.prank(OWNER);
        paused ? boost.unpause() : boost.pause();
        ++done["pause"];
    }
}
