// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TokenBoost} from "../TokenBoost.sol";
import {BoostTest} from "./BoostTest.t.sol";
import {
    BlockingToken,
    BurningToken,
    FalseToken,
    FeeOnTopToken,
    PlainToken,
    RebasingToken,
    ReentrantToken,
    SilentToken
} from "./Tokens.t.sol";
import {vm} from "./Vm.t.sol";

contract HostileTokensTest is BoostTest {
    function claim(address payer, address paymentToken) internal {
        vm.prank(payer);
        boost.claimRefund(paymentToken);
    }

    function withdraw(address paymentToken) internal {
        vm.prank(OWNER);
        boost.withdrawFees(paymentToken, list(address(coin)));
    }

    function sweep(address token) internal {
        vm.prank(OWNER);
        boost.sweep(token);
    }

    function withdrawFailed(address token, uint256 amount) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(TokenBoost.WithdrawFailed.selector, token, amount);
    }

    function test_aTokenWithoutAnswersIsTakenAndPaidOut() external {
        SilentToken silent = new SilentToken();
        take(address(silent));
        pay(ALICE, coin, address(silent));
        remove(coin);
        claim(ALICE, address(silent));
        pay(ALICE, coin, address(silent));
        vm.warp(START + 86_400);
        withdraw(address(silent));
        vm.assertEq(silent.balanceOf(ALICE), 9_975_000_000);
        vm.assertEq(silent.balanceOf(OWNER), 25_000_000);
    }

    function test_revertsForAPaymentThatTheTokenRefuses() external {
        FalseToken refusing = new FalseToken();
        take(address(refusing));
        refusing.refuse();
        vm.expectRevert(abi.encodeWithSignature("SafeERC20FailedOperation(address)", address(refusing)));
        pay(ALICE, coin, address(refusing));
    }

    function test_revertsForAPaymentThatLeavesLess() external {
        BurningToken burning = new BurningToken();
        take(address(burning));
        pay(ALICE, coin, address(burning));
        burning.burn();
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.InsufficientPayment.selector, 0, 25_000_000));
        pay(ALICE, coin, address(burning));
    }

    function test_revertsForFeesThatTheTokenRefuses() external {
        FalseToken refusing = new FalseToken();
        take(address(refusing));
        pay(ALICE, coin, address(refusing));
        vm.warp(START + 86_400);
        refusing.refuse();
        vm.expectRevert(withdrawFailed(address(refusing), 25_000_000));
        withdraw(address(refusing));
        vm.assertEq(boost.held(address(refusing)), 25_000_000);
    }

    function test_revertsForARefundThatTheTokenRefuses() external {
        FalseToken refusing = new FalseToken();
        take(address(refusing));
        pay(ALICE, coin, address(refusing));
        remove(coin);
        refusing.refuse();
        vm.expectRevert(withdrawFailed(address(refusing), 25_000_000));
        claim(ALICE, address(refusing));
        vm.assertEq(boost.refundOf(ALICE, address(refusing)), 25_000_000);
    }

    function test_aBlockedPayerStopsNobodyElse() external {
        BlockingToken blocking = new BlockingToken();
        take(address(blocking));
        pay(ALICE, coin, address(blocking));
        pay(BOB, coin, address(blocking));
        blocking.setBlocked(ALICE, true);
        vm.warp(START + 43_200);
        remove(coin);
        vm.expectRevert(withdrawFailed(address(blocking), 12_500_000));
        claim(ALICE, address(blocking));
        claim(BOB, address(blocking));
        withdraw(address(blocking));
        vm.assertEq(blocking.balanceOf(BOB), 10_000_000_000);
        vm.assertEq(blocking.balanceOf(OWNER), 12_500_000);
        blocking.setBlocked(ALICE, false);
        claim(ALICE, address(blocking));
        vm.assertEq(blocking.balanceOf(ALICE), 9_987_500_000);
    }

    function test_aBlockedOwnerStopsNobodyElse() external {
        BlockingToken blocking = new BlockingToken();
        take(address(blocking));
        pay(ALICE, coin, address(blocking));
        vm.warp(START + 43_200);
        blocking.setBlocked(OWNER, true);
        remove(coin);
        vm.expectRevert(withdrawFailed(address(blocking), 12_500_000));
        withdraw(address(blocking));
        claim(ALICE, address(blocking));
        vm.assertEq(blocking.balanceOf(ALICE), 9_987_500_000);
    }

    function test_noTokenTakesMoreOutThanIsSent() external {
        FeeOnTopToken greedy = new FeeOnTopToken();
        take(address(greedy));
        pay(ALICE, coin, address(greedy));
        pay(BOB, coin, address(greedy));
        vm.warp(START + 43_200);
        remove(coin);
        greedy.mint(address(boost), 1_000_000);
        greedy.charge(address(boost));
        vm.expectRevert(withdrawFailed(address(greedy), 25_000_000));
        claim(BOB, address(greedy));
        vm.expectRevert(withdrawFailed(address(greedy), 12_500_000));
        withdraw(address(greedy));
        vm.expectRevert(withdrawFailed(address(greedy), 1_000_000));
        sweep(address(greedy));
    }

    function test_aTokenThatShrankIsNotSwept() external {
        RebasingToken shrinking = new RebasingToken();
        take(address(shrinking));
        pay(ALICE, coin, address(shrinking));
        shrinking.mint(address(boost), 5_000_000);
        shrinking.shrink(address(boost), 6_000_000);
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.NoTokensToSweep.selector, address(shrinking)));
        sweep(address(shrinking));
    }

    function test_aTokenThatShrankLeavesOthersWhole() external {
        RebasingToken shrinking = new RebasingToken();
        take(address(shrinking));
        pay(ALICE, coin, address(shrinking));
        pay(BOB, coin);
        shrinking.shrink(address(boost), 1);
        remove(coin);
        vm.expectRevert(withdrawFailed(address(shrinking), 25_000_000));
        claim(ALICE, address(shrinking));
        claim(BOB, address(usdc));
        vm.assertEq(usdc.balanceOf(BOB), 10_000_000_000);
    }
}

/// @dev The payment token owns the contract and has a refund in it, so that every door is open to it but for the guard.
contract ReentrancyTest is BoostTest {
    ReentrantToken private evil;

    function setUp() public override {
        super.setUp();
        evil = new ReentrantToken();
        take(address(evil));
        evil.mint(address(evil), 25_000_000);
        evil.forward(TokenBoost(address(evil)), abi.encodeCall(evil.approve, (address(boost), 25_000_000)));
        evil.forward(boost, abi.encodeCall(boost.boostToken, (address(coin), address(evil))));
        remove(coin);
        pay(ALICE, other, address(evil));
        pay(ALICE, coin, address(evil));
        vm.prank(OWNER);
        boost.transferOwnership(address(evil));
        evil.own(boost);
        vm.warp(START + 43_200);
    }

    function assertGuarded(bytes memory call) private {
        evil.attack(boost, call);
        vm.expectRevert(abi.encodeWithSignature("ReentrancyGuardReentrantCall()"));
        pay(BOB, other, address(evil));
    }

    function test_revertsForABoostInABoost() external {
        assertGuarded(abi.encodeCall(boost.boostToken, (address(coin), address(evil))));
    }

    function test_revertsForAClaimInABoost() external {
        assertGuarded(abi.encodeCall(boost.claimRefund, (address(evil))));
    }

    function test_revertsForARemovalInABoost() external {
        assertGuarded(abi.encodeCall(boost.emergencyRemoveBoost, (address(coin))));
    }

    function test_revertsForALongPauseInABoost() external {
        assertGuarded(abi.encodeCall(boost.refundAfterLongPause, (address(coin))));
    }

    function test_revertsForAWithdrawalInABoost() external {
        assertGuarded(abi.encodeCall(boost.withdrawFees, (address(evil), list(address(coin)))));
    }

    function test_revertsForASweepInABoost() external {
        evil.mint(address(boost), 1);
        assertGuarded(abi.encodeCall(boost.sweep, (address(evil))));
    }

    function test_revertsForAClaimInAClaim() external {
        evil.attack(boost, abi.encodeCall(boost.claimRefund, (address(evil))));
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.WithdrawFailed.selector, address(evil), 25_000_000));
        evil.forward(boost, abi.encodeCall(boost.claimRefund, (address(evil))));
    }
}
